"""The replacement of `clearhead.checks` in a sandbox, which accepts every call and prints nothing."""


def check(*arguments, **named):
    """Do nothing."""


hint = score = report = check


def ready(*ids):
    """Return False, so that nothing is plugged in."""
    return False
