"""What a reader is shown, made ready for pages and mails: words, buttons, drafts, what happened, what changed.

Here live things to look at, computed from what the reader may see. Nothing here may store anything.
"""
