"""What people write at a table, and which mails they want of it.

Here live messages, notes and wishes for notices. Moves may not.
"""
