"""The error that concerns the user: what was asked for cannot be done, and the message says what to do."""


class UserError(ValueError):
    """Raised where something that the user gave, or the way they asked, stands in the way.

    Its message is complete: sentences for a student, an author or an instructor, shown without a traceback.
    Errors that the program is to tell apart have classes of their own, and a fault of ours stays what it is.
    """
