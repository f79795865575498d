"""The error for problems that a user can solve, whose message says what is wrong and what to do."""


class UserError(ValueError):
    """Raised when a request cannot be fulfilled because of an input or a setting that the user can change.

    Its message consists of complete sentences for a student, an author or an instructor, and is shown without
    a traceback. Errors that the program must distinguish have their own classes, and a fault of the library
    is not turned into a UserError.
    """
