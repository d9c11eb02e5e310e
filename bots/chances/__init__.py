"""The chance to win of a position between two turns: what the points to come that have been learned say of the result.

The margin says by how many points somebody is expected to be ahead; how sure that is depends on how much is still to
come. What was found out about that from games of bots against themselves is data, `N-players.json` here.
"""
