"""More wrong answers of 16.gated_width."""

from clearhead.checks.exercise import Mistake

MORE = (
    Mistake(
        "two_thirds_cut_off",
        lambda d_ff, multiple: -(-(2 * d_ff // 3) // multiple) * multiple,
        "You cut off what 2/3 of d_ff has behind the point, before you rounded up. That can make the width "
        "one multiple too small: round up once, at the end.",
    ),
    Mistake(
        "three_halves",
        lambda d_ff, multiple: -(-3 * d_ff // (2 * multiple)) * multiple,
        "You took 3/2 of d_ff. Three matrices in the place of two: each gets 2/3.",
    ),
    Mistake(
        "four_thirds",
        lambda d_ff, multiple: -(-4 * d_ff // (3 * multiple)) * multiple,
        "You took 4/3 of d_ff. It is 2/3.",
    ),
    Mistake(
        "a_third",
        lambda d_ff, multiple: -(-d_ff // (3 * multiple)) * multiple,
        "You took a third of d_ff. Two matrices are spread over three: each gets 2/3.",
    ),
    Mistake(
        "a_third_rounded_then_doubled",
        lambda d_ff, multiple: 2 * -(-d_ff // (3 * multiple)) * multiple,
        "You rounded a third of d_ff up and doubled it. Double first, then round up, or it can be too much.",
    ),
    Mistake(
        "rounded_before_two_thirds",
        lambda d_ff, multiple: 2 * (-(-d_ff // multiple) * multiple) // 3,
        "You rounded d_ff to a multiple and took 2/3 of that, which need be no multiple. Round last.",
    ),
    Mistake(
        "eight_thirds",
        lambda d_ff, multiple: -(-8 * d_ff // (3 * multiple)) * multiple,
        "You took 8/3, which is for the width D of the stream, where d_ff is 4 D. Of d_ff itself take 2/3.",
    ),
    Mistake(
        "how_many_multiples",
        lambda d_ff, multiple: -(-2 * d_ff // (3 * multiple)),
        "That says how many multiples the width has. Times `multiple` it is the width.",
    ),
    Mistake(
        "multiple_not_used",
        lambda d_ff, multiple: 2 * d_ff // 3,
        "That is 2/3 of d_ff, cut to a whole number. Round 2/3 of d_ff up to a multiple of `multiple`.",
    ),
)
