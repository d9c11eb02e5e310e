"""What every room of the service needs: checks of what people send, refusals, limits, names, what is kept at hand.

Here live pieces that know no account and no game. Nothing here may import another room of the service.
"""
