"""Turn mail: made when it is sent, from the mail in the outbox and the state then, outside transactions."""
