"""More wrong answers of 19.penalise."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _less(penalty):
    """Return logits less penalty(times, presence, frequency, logits)."""

    def answer(logits, said, presence, frequency):
        times = np.bincount(said, minlength=len(logits))
        return logits - penalty(times, presence, frequency, logits)

    return answer


def _written(logits, said, presence, frequency):
    times = np.bincount(said, minlength=len(logits))
    logits -= presence * (times > 0) + frequency * times
    return logits


def _divided(logits, said, presence, frequency):
    times = np.bincount(said, minlength=len(logits))
    return np.where(times > 0, logits / (1 + presence), logits)


def _never_below_zero(logits, said, presence, frequency):
    times = np.bincount(said, minlength=len(logits))
    return np.where(times > 0, np.maximum(logits - presence - frequency * times, 0), logits)


def _right(logits, said, presence, frequency):
    times = np.bincount(said, minlength=len(logits))
    return logits - presence * (times > 0) - frequency * times


def _counts_in_the_wrong_places(logits, said, presence, frequency):
    z, (words, times) = logits.copy(), np.unique(said, return_counts=True)
    z[: len(times)] -= frequency * times
    z[words] -= presence
    return z


MORE = (
    Mistake(
        "written_into_the_logits",
        _written,
        "The numbers are right, but -= wrote them into the caller's logits. Make a new array: logits - ...",
    ),
    Mistake(
        "presence_forgotten",
        _less(lambda times, presence, frequency, logits: frequency * times),
        "`presence` is missing: each word that was said loses it, once.",
    ),
    Mistake(
        "frequency_forgotten",
        _less(lambda times, presence, frequency, logits: presence * (times > 0)),
        "`frequency` is missing: a word loses it for each time that it was said.",
    ),
    Mistake(
        "frequency_for_all",
        _less(lambda times, presence, frequency, logits: presence * (times > 0) + frequency * times.sum()),
        "Every word loses `frequency` for each word of the text. Count how often it was said itself.",
    ),
    Mistake(
        "length_of_the_text_counts",
        _less(lambda times, presence, frequency, logits: (presence + frequency * times.sum()) * (times > 0)),
        "Each word that was said loses `frequency` for all words of the text. Count its own times alone.",
    ),
    Mistake(
        "presence_from_the_second_time",
        _less(lambda times, presence, frequency, logits: presence * (times > 1) + frequency * times),
        "You subtract `presence` from words that were said twice or more. Once is enough for it.",
    ),
    Mistake(
        "multiplied_together",
        _less(lambda times, presence, frequency, logits: presence * frequency * times),
        "You multiplied the two penalties. They add up.",
    ),
    Mistake(
        "presence_times_frequency",
        _less(lambda times, presence, frequency, logits: presence * (times > 0) * (1 + frequency * times)),
        "`frequency` makes `presence` larger in yours. They are two penalties, side by side.",
    ),
    Mistake(
        "shares_of_the_logit",
        _less(
            lambda times, presence, frequency, logits: logits * (presence * (times > 0) + frequency * times)
        ),
        "You subtract shares of the logit. Subtract the numbers themselves: a logit has no fixed zero.",
    ),
    Mistake(
        "words_forbidden",
        lambda logits, said, presence, frequency: np.where(
            np.isin(np.arange(len(logits)), said), -np.inf, logits
        ),
        "You forbid what was said. It only costs something: subtract.",
    ),
    Mistake(
        "unsaid_words_pay",
        _less(lambda times, presence, frequency, logits: presence * (times == 0) + frequency * times),
        "`presence` falls on the words that were not said. It falls on those that were.",
    ),
    Mistake(
        "logarithm_of_the_times",
        _less(
            lambda times, presence, frequency, logits: presence * (times > 0) + frequency * np.log1p(times)
        ),
        "You took the logarithm of how often a word was said. Each time counts alike.",
    ),
    Mistake(
        "times_squared",
        _less(lambda times, presence, frequency, logits: presence * (times > 0) + frequency * times**2),
        "You squared how often a word was said. Each time counts alike.",
    ),
    Mistake(
        "too_few_counts",
        lambda logits, said, presence, frequency: (
            logits - presence * (np.bincount(said) > 0) - frequency * np.bincount(said)
        ),
        "np.bincount ends with the largest id that was said. Give it minlength=len(logits).",
    ),
    Mistake(
        "first_places_penalised",
        lambda logits, said, presence, frequency: (
            logits - (presence + frequency) * (np.arange(len(logits)) < len(said))
        ),
        "You penalise the first places of the row. `said` holds ids: they pick the places.",
    ),
    Mistake(
        "penalties_returned",
        lambda logits, said, presence, frequency: (
            -_less(lambda times, presence, frequency, logits: presence * (times > 0) + frequency * times)(
                0 * logits, said, presence, frequency
            )
        ),
        "These are the penalties. Subtract them from the logits.",
    ),
    Mistake(
        "divided_by_a_penalty",
        _divided,
        "You divided the logits of what was said. A logit below 0 then grows. Subtract `presence` and "
        "`frequency`.",
    ),
    Mistake(
        "never_below_zero",
        _never_below_zero,
        "You stop at 0. A logit may be negative: softmax sees differences alone.",
    ),
    Mistake(
        "empty_text_as_floats",
        lambda logits, said, presence, frequency: _less(
            lambda times, presence, frequency, logits: presence * (times > 0) + frequency * times
        )(logits, np.array(said.tolist()), presence, frequency),
        "An empty list becomes an array of floats, and np.bincount takes whole numbers. Give it `said` "
        "itself.",
    ),
    Mistake(
        "one_number_for_each_said",
        lambda logits, said, presence, frequency: logits[said] - presence - frequency,
        "You returned a number for each word of the text. Return all logits, (V,).",
    ),
    Mistake(
        "counts_in_the_wrong_places",
        _counts_in_the_wrong_places,
        "np.unique gives counts only for words that came, and yours stand in the first places. np.bincount "
        "counts by id.",
    ),
    Mistake(
        "sign_of_the_logit_followed",
        _less(
            lambda times, presence, frequency, logits: (
                np.sign(logits) * (presence * (times > 0) + frequency * times)
            )
        ),
        "You subtract from logits above 0, and add to those below. Subtract, whatever their sign is.",
    ),
    Mistake(
        "all_words_pay",
        _less(lambda times, presence, frequency, logits: presence * times.any() + frequency * times.sum()),
        "Every word pays in yours. Only words that were said do.",
    ),
    Mistake(
        "nothing_for_an_empty_text",
        lambda logits, said, presence, frequency: (
            _right(logits, said, presence, frequency) if len(said) else None
        ),
        "You return nothing where nothing was said. Return the logits as they are.",
    ),
    Mistake(
        "largest_of_an_empty_text",
        lambda logits, said, presence, frequency: (
            _right(logits, said, presence, frequency) if said.max() >= 0 else logits
        ),
        "An empty text has no largest id. np.bincount with minlength=len(logits) needs none.",
    ),
)
