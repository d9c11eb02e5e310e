"""What people write at a table, and which mails they want of it: messages, notes and wishes for notices."""
