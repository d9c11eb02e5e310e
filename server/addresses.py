"""Which mail addresses are good: the rule of `email-validator`, without asking the network. Letters beyond ASCII before
the @ are refused (mail servers would need SMTPUTF8); names of the own machine or network are good, for who tries a
server out."""

from __future__ import annotations

import re
from functools import lru_cache

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email

LONGEST = 254
MESSAGE_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,120}@\[?[A-Za-z0-9.:-]{1,120}\]?>")
"""The ids of mails that are kept, and named in answers to them."""

# The library's own way to let names of special use through.
SPECIAL_USE_DOMAIN_NAMES[:] = [name for name in SPECIAL_USE_DOMAIN_NAMES if name not in ("local", "localhost", "test")]


@lru_cache(maxsize=512)  # 0.06 ms each time, and a mail asks twice
def mail_address(text: str, hosts: bool = False) -> str:
    """The address as it is kept, in ASCII; `hosts` lets names without a dot through. Raises `ValueError`."""
    near = hosts or text.strip().lower().endswith("@localhost")
    try:
        found = validate_email(
            text.strip(), allow_smtputf8=False, check_deliverability=False, globally_deliverable=not near, strict=True
        )
    except EmailNotValidError as error:
        raise ValueError(str(error)) from None
    if found.ascii_email is None or len(found.ascii_email) > LONGEST:
        raise ValueError(f"give at most {LONGEST} characters")
    # Case is left as it was typed: it makes no other address here (they are compared without).
    return text.strip() if text.strip().lower() == found.ascii_email.lower() else found.ascii_email
