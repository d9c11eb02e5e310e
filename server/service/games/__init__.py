"""One game inside a transaction: loading, playing on, its clock, whom to tell, saving.

Here lives what every change of a game goes through. Who may ask for a change, and what is answered, may not.
"""
