"""More wrong answers of 17.rotate_neighbours."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _paired(a, b):
    return np.stack([a, b], axis=2).reshape(len(a), -1)


def _turned(
    place=lambda start, T: start + np.arange(T),
    speed=lambda k, d, base: base ** (-2 * k / d),
    turn=lambda a, b, c, s: (a * c - b * s, a * s + b * c),
    put=_paired,
):
    """Return rotate_neighbours, in which each of these parts can be replaced by a wrong one."""

    def answer(x, start, base):
        T, d = x.shape
        angles = place(start, T)[:, None] * speed(np.arange(d // 2), d, base)
        return put(*turn(x[:, 0::2], x[:, 1::2], np.cos(angles), np.sin(angles)))

    return answer


def _from_the_end(x, start, base):
    (T, d), y = x.shape, np.empty_like(x)
    angles = (start + np.arange(T)[::-1])[:, None] * base ** (-np.arange(0, d, 2) / d)
    a, b, cos, sin = x[:, 0::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    y[:, 0::2], y[:, 1::2] = a * cos - b * sin, a * sin + b * cos
    return y


def _each_its_own_speed(x, start, base):
    (T, d), y = x.shape, np.empty(x.shape)
    angles = (start + np.arange(T))[:, None] * base ** (-np.arange(d) / d)
    a, b, cos, sin = x[:, 0::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    y[:, 0::2] = a * cos[:, 0::2] - b * sin[:, 0::2]
    y[:, 1::2] = a * sin[:, 1::2] + b * cos[:, 1::2]
    return y


MORE = (
    Mistake(
        "pairs_put_back_as_halves",
        _turned(put=lambda a, b: np.concatenate([a, b], axis=1)),
        "The turned numbers are right, but all first ones stand before all second ones. Put them back where "
        "they came from: y[:, 0::2] and y[:, 1::2].",
    ),
    Mistake(
        "all_rows_at_start",
        _turned(place=lambda start, T: np.full(T, start)),
        "All your rows stand at position `start`. Row t stands at start + t.",
    ),
    Mistake(
        "start_is_the_last_row",
        _turned(place=lambda start, T: start - T + 1 + np.arange(T)),
        "Your last row stands at position `start`. The first row does.",
    ),
    Mistake(
        "start_multiplied",
        _turned(place=lambda start, T: start * np.arange(T)),
        "You multiplied the number of the row by `start`. Row t stands at position start + t.",
    ),
    Mistake(
        "backwards_from_start",
        _turned(place=lambda start, T: start - np.arange(T)),
        "Your positions run backwards. Row t stands at position start + t.",
    ),
    Mistake(
        "plus_in_place_of_minus",
        _turned(turn=lambda a, b, c, s: (a * c + b * s, a * s + b * c)),
        "Both your formulas have a plus. The first number becomes a cos θ - b sin θ: else the "
        "length changes.",
    ),
    Mistake(
        "cosines_alone",
        _turned(turn=lambda a, b, c, s: (a * c, b * c)),
        "You multiplied by the cosine alone. A turn mixes both numbers of a pair.",
    ),
    Mistake(
        "first_number_overwritten",
        _turned(turn=lambda a, b, c, s: (a * c - b * s, (a * c - b * s) * s + b * c)),
        "Your second number was made from the first one's new value. Keep the old a: compute both, then "
        "write.",
    ),
    Mistake(
        "sine_and_cosine_exchanged",
        _turned(turn=lambda a, b, c, s: (a * s - b * c, a * c + b * s)),
        "You exchanged sine and cosine. At position 0 nothing turns: cos 0 = 1 keeps a.",
    ),
    Mistake(
        "minus_of_the_exponent_lost",
        _turned(speed=lambda k, d, base: base ** (2 * k / d)),
        "Your exponent has lost its minus sign. Pair k turns by t · base^(-2k/d).",
    ),
    Mistake(
        "twice_the_exponent",
        _turned(speed=lambda k, d, base: base ** (-4 * k / d)),
        "Your exponent is twice what it should be. It is -2k/d, and 0, 2, 4, ... are 2k already.",
    ),
    Mistake(
        "one_speed_for_all_pairs",
        _turned(speed=lambda k, d, base: np.ones(d // 2)),
        "All your pairs turn by t. Pair k turns by t · base^(-2k/d).",
    ),
    Mistake(
        "speeds_from_back_to_front",
        _turned(speed=lambda k, d, base: base ** (-2 * k[::-1] / d)),
        "Your speeds stand from back to front. Pair 0 turns by one radian a token, pair k by base^(-2k/d).",
    ),
    Mistake(
        "base_times_the_exponent",
        _turned(speed=lambda k, d, base: base * (-2 * k / d)),
        "You multiplied base by the exponent. Take the power: base ** (-2k/d).",
    ),
    Mistake(
        "in_degrees",
        _turned(speed=lambda k, d, base: np.radians(base ** (-2 * k / d))),
        "You took the angles for degrees. np.cos takes radians, and so does the formula.",
    ),
    Mistake(
        "whole_turns",
        _turned(speed=lambda k, d, base: 2 * np.pi * base ** (-2 * k / d)),
        "Your angles have 2π in front. They are radians already.",
    ),
    Mistake(
        "first_pair_alone",
        _turned(speed=lambda k, d, base: base ** (-2.0 * k / d) * (k == 0)),
        "Only the first pair turns. Each does, at its own speed.",
    ),
    Mistake(
        "turned_twice",
        _turned(speed=lambda k, d, base: 2 * base ** (-2 * k / d)),
        "You turned twice as far. Once is enough.",
    ),
    Mistake(
        "counted_from_the_end",
        _from_the_end,
        "Your last row stands at `start`, and the first is the farthest. Row 0 stands at start, row 1 "
        "at start + 1.",
    ),
    Mistake(
        "minus_in_the_second_number",
        _turned(turn=lambda a, b, c, s: (a * c - b * s, a * s - b * c)),
        "Your second number has a minus before b cos θ: that is no turn. It becomes a sin θ + b cos θ.",
    ),
    Mistake(
        "pairs_counted_from_one",
        _turned(speed=lambda k, d, base: base ** (-2.0 * (k + 1) / d)),
        "You counted the pairs from 1. The first pair is k = 0, with the exponent 0.",
    ),
    Mistake(
        "last_pair_at_the_base",
        _turned(speed=lambda k, d, base: base ** (-2.0 * k / max(d - 2, 1))),
        "You divided the exponent by d - 2, so that the last is -1. Divide by d.",
    ),
    Mistake(
        "each_column_its_own_speed",
        _each_its_own_speed,
        "Both numbers of a pair turn by an angle of their own in yours. The pair has one: the exponent is "
        "that of column 2k.",
    ),
    Mistake(
        "encodings_added",
        _turned(turn=lambda a, b, c, s: (a + s, b + c)),
        "You added sines and cosines, as the first transformers did. Here each pair is turned.",
    ),
    Mistake(
        "exponent_cut",
        _turned(speed=lambda k, d, base: float(base) ** (-2 * k // d)),
        "You cut the exponent to a whole number (//). Divide with /.",
    ),
    Mistake(
        "exponent_over_the_tokens",
        lambda x, start, base: _turned(speed=lambda k, d, base: base ** (-2.0 * k / len(x)))(x, start, base),
        "You divided the exponent by the number of tokens. Divide by the width d.",
    ),
    Mistake(
        "angle_over_the_width",
        _turned(speed=lambda k, d, base: base ** (-2.0 * k) / d),
        "You divided by d what should be divided in the exponent: base ** (-2 * k / d).",
    ),
)
