"""What a reader is shown, made ready for pages and mails: words, buttons, drafts, what changed. Stores nothing."""
