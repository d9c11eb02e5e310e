"""Playing by answering mails: the transactions, from a person's lines to what they are told of what was done."""
