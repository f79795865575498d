"""What `clearhead.checks` is in a sandbox: it accepts every call, and says nothing."""


def check(*arguments, **named):
    """Say nothing."""


hint = score = report = check


def ready(*ids):
    """Return False: nothing is plugged in."""
    return False
