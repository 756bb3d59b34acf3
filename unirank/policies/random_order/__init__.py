"""RandomOrder: every list is as likely."""
