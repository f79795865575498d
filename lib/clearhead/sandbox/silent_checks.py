"""The replacement of `clearhead.checks` in a sandbox, which accepts every call and prints nothing."""


def check(*arguments, **named):
    """Accept any arguments, and do nothing."""


hint = score = report = check


def ready(*ids):
    """Return False, so that the sheet does not plug in any answer."""
    return False
