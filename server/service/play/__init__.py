"""What changes a running game: moves, undo, time-outs, pauses, vacations, and the jobs that remind of them.

Here lives one transaction for each. How a change is carried to its end may not: see `table`.
"""
