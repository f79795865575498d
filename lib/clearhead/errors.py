"""The error for what a user can put right: the message says what is wrong and what to do."""


class UserError(ValueError):
    """Raised when a request cannot be fulfilled because of something that the user gave or can change.

    Its message is complete: sentences for a student, an author or an instructor, shown without a traceback.
    Errors that the program is to tell apart have classes of their own, and a fault of ours stays what it is.
    """
