"""Games that are over or came from outside: replays, records to keep, statistics, verification, playing on.

Here nothing is secret any more but what a sandbox deals anew. Running games may not be read here.
"""
