"""In a room `clearhead.checks` is this: it takes every call, and says nothing."""


def check(*arguments, **named):
    """Say nothing."""


hint = score = report = check


def ready(*ids):
    """Return False: nothing is plugged in."""
    return False
