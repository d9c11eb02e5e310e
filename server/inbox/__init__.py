"""Mail that comes in: by which doors, for whom, what of it is never answered, and what is done with the rest.

    ulm mail receive, LMTP, IMAP -> receiving.receive(…) -> service/answering/answers, service/outbox/deliveries

What people write is read in `message_reading` and understood by `server/move_language`; nothing is decided here about a
game. A token in the recipient's address says who may do what; From never does.
"""
