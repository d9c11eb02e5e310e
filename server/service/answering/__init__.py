"""Playing by answering mails: from a person's lines to what was done, and to what they are told of it.

Here live the transactions of answers, one for each mail. Rules and moves may not: see `play` and `move_language`.
"""
