"""What whoever runs the server does about games and accounts: finding them, banning, handing seats over, sending again.

Here live acts of the operator, each with its line in the audit log. Nothing here may show a hand, a seed or a token.
"""
