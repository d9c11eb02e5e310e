"""Turn mail: the message that tells a player "it is your move", with what happened since the last one.

It will take its sentences from the engine's events and its recipients from the same answer to "who must move" that the
API gives, write outgoing mail in the transaction of the move, and send it afterwards, outside every game's lock.
"""
