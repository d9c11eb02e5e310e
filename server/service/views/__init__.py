"""What a reader is shown, made ready for pages and mails: words, buttons, drafts, what changed. Nothing is stored
here."""
