"""Turn mail: the letter that tells a player "it is your move", its way to them, and the jobs that run by the clock.

A letter is made when it is sent, from the mail in the outbox and the state that there is then; nothing is composed or
sent inside a transaction. Who is told what is decided in `server/service`.
"""
