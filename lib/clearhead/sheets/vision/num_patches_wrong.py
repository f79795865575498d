"""More wrong answers of 13.num_patches."""

from clearhead.checks.exercise import Mistake


def _fits(height, width, P):
    return height % P == 0 and width % P == 0


def _counted(count, fits=_fits, otherwise=None):
    """Return num_patches with a count of its own, a test of its own, or another way to refuse."""

    def answer(height, width, P):
        if fits(height, width, P):
            return count(height, width, P)
        if otherwise is None:
            raise ValueError("these patches do not fill the image")
        return otherwise[0]

    return answer


def _patches(height, width, P):
    return (height // P) * (width // P)


MORE = (
    Mistake(
        "none_in_place_of_a_refusal",
        _counted(_patches, otherwise=[None]),
        "Where the patches do not fill the image you return None. Raise a ValueError.",
    ),
    Mistake(
        "minus_one_in_place_of_a_refusal",
        _counted(_patches, otherwise=[-1]),
        "Where the patches do not fill the image you return -1. Raise a ValueError.",
    ),
    Mistake(
        "text_in_place_of_a_refusal",
        _counted(_patches, otherwise=["ValueError"]),
        'You returned a text. Raise the error: raise ValueError("...").',
    ),
    Mistake(
        "refused_only_where_neither_fits",
        _counted(_patches, lambda h, w, P: h % P == 0 or w % P == 0),
        "You refuse only where neither side fits. Refuse also where one of them does not.",
    ),
    Mistake(
        "sum_of_the_sides_tested",
        _counted(_patches, lambda h, w, P: (h + w) % P == 0),
        "You tested the sum of both sides. Test each side by itself.",
    ),
    Mistake(
        "height_never_checked",
        _counted(_patches, lambda h, w, P: w % P == 0),
        "You refuse a width that does not fit, but not a height.",
    ),
    Mistake(
        "only_squares_accepted",
        _counted(_patches, lambda h, w, P: _fits(h, w, P) and h == w),
        "You refuse images that are not square. They may be filled, too.",
    ),
    Mistake(
        "always_refused",
        _counted(_patches, lambda h, w, P: P % h == 0 and P % w == 0),
        "You refuse images that patches fill. They fill one where height % P and width % P are both 0.",
    ),
    Mistake(
        "square_of_the_width",
        _counted(lambda h, w, P: (w // P) ** 2),
        "You used the width twice. An image need not be square.",
    ),
    Mistake(
        "rows_and_columns_apart",
        _counted(lambda h, w, P: (h // P, w // P)),
        "You returned two numbers. Multiply them.",
    ),
    Mistake(
        "pixels_counted",
        _counted(lambda h, w, P: h * w),
        "You counted pixels. A patch has P · P of them: divide.",
    ),
    Mistake(
        "divided_by_twice_the_side",
        _counted(lambda h, w, P: h * w // (2 * P)),
        "You divided by 2 P. A patch has P · P pixels.",
    ),
    Mistake(
        "one_too_few_each_way",
        _counted(lambda h, w, P: (h // P - 1) * (w // P - 1)),
        "You counted one row and one column too few.",
    ),
    Mistake(
        "error_returned",
        _counted(_patches, otherwise=[ValueError("these patches do not fill the image")]),
        "You returned the error. Raise it: raise, not return.",
    ),
    Mistake(
        "only_too_small_refused",
        _counted(_patches, lambda h, w, P: h >= P and w >= P),
        "You refuse only an image that is smaller than a patch. Refuse wherever height % P or width % P "
        "leaves a rest.",
    ),
)
