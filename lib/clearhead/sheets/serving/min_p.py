"""19.min_p: Cut by the likeliest word."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.sampling import min_p
from clearhead.maths.softmax import log_softmax, softmax

from .min_p_wrong import MORE


def _by_probabilities(logits, share):
    P = softmax(np.asarray(logits, dtype=float))
    least = share * P.max(axis=-1, keepdims=True) * (1 - 1e-12)
    return np.where(least <= P, logits, -np.inf)


def _kept(rule):
    def answer(logits, share):
        return np.where(rule(np.asarray(logits, dtype=float), share), logits, -np.inf)

    return answer


def _cases(rng):
    sure, unsure = np.log([0.9, 0.06, 0.03, 0.01]), np.log([0.3, 0.3, 0.25, 0.15])
    between, z = np.log([0.5, 0.3, 0.14, 0.06]), 3 * rng.normal(size=(4, 9))
    return [
        Case(
            "sure of itself, by hand",
            (sure, 0.1),
            "0.9 · 0.1 is 0.09: one word stays.",
            expected=np.array([sure[0], *3 * [-np.inf]]),
        ),
        Case("unsure, by hand", (unsure, 0.1), "0.3 · 0.1 is 0.03: all stay.", expected=unsure),
        Case(
            "between, by hand",
            (between, 0.2),
            "0.5 · 0.2 is 0.1: 0.06 is below it.",
            expected=np.array([*between[:3], -np.inf]),
        ),
        Case("a row shifted", (sure + 7, 0.05), "Softmax does not see a shift, and min-p must not either."),
        Case(
            "large logits", (sure + 900, 0.05), "e to the 900 overflows: softmax takes the largest off first."
        ),
        Case("several rows", (z, 0.2), "Each row has its own likeliest word."),
        Case("many words", (4 * rng.normal(size=(2, 40)), 0.02), "The sum of the others does not count."),
        Case("keep all", (z, 0.0), "A share of 0 keeps everything."),
        Case("keep the best", (z, 1.0), "A share of 1 keeps the likeliest alone."),
    ]


def _over_rows(z):
    powers = np.exp(z - z.max())
    return powers / powers.sum(axis=0)


def _first_of_all(z, share):
    larger = (z[..., None, :] > z[..., None]).sum(axis=-1)
    return larger < max(1, int(share * z.shape[-1]))


EXERCISE = Exercise(
    id="19.min_p",
    title="Cut by the likeliest word",
    reference=min_p,
    cases=_cases,
    hints=(
        "The limit moves: it is a share of the largest probability of this row.",
        "P_v / max P is exp(z_v - max z): no softmax is needed.",
        "z = logits - logits.max(axis=-1, keepdims=True); return np.where(np.exp(z) >= share, "
        "logits, -np.inf)",
    ),
    mistakes=(
        Mistake(
            "a_fixed_limit",
            _kept(lambda z, share: softmax(z) >= share),
            "You compare P with the share itself. The limit is share · max P: it moves with how sure "
            "the model is.",
        ),
        Mistake(
            "a_share_of_the_logit",
            _kept(lambda z, share: z >= share * z.max(axis=-1, keepdims=True)),
            "You take a share of the largest logit. Logits have no fixed zero: take it of the probability.",
        ),
        Mistake(
            "one_limit_for_all_rows",
            _kept(lambda z, share: softmax(z) >= share * softmax(z).max() * (1 - 1e-12)),
            "You take one maximum of all rows. Each row has its own: axis=-1.",
        ),
        Mistake(
            "top_p_by_another_name",
            _kept(
                lambda z, share: (
                    np.cumsum(-np.sort(-softmax(z)), axis=-1)[
                        np.arange(len(z))[:, None] if z.ndim > 1 else slice(None),
                        np.argsort(np.argsort(-z)),
                    ]
                    <= 1 - share
                )
            ),
            "You add up probabilities, as top-p does. min-p compares each word with the likeliest one.",
        ),
        Mistake(
            "probabilities_returned",
            lambda logits, share: np.where(
                np.isfinite(min_p(logits, share)), softmax(np.asarray(logits, dtype=float)), 0
            ),
            "You return probabilities. Return logits: the old ones, and -inf for what is cut.",
        ),
        Mistake(
            "zeros_for_what_is_cut",
            lambda logits, share: np.where(np.isfinite(min_p(logits, share)), logits, 0.0),
            "What is cut must become -inf. A logit of 0 is a word like others.",
        ),
        Mistake(
            "the_others_are_kept",
            _kept(lambda z, share: z - z.max(axis=-1, keepdims=True) < np.log(max(share, 1e-300))),
            "You keep what should be cut. Keep the words that are likely enough.",
        ),
        Mistake(
            "really_larger",
            _kept(lambda z, share: softmax(z) > share * softmax(z).max(axis=-1, keepdims=True)),
            "You keep only what is larger than the limit. What reaches it stays, too: the likeliest word, "
            "with a share of 1.",
        ),
        Mistake(
            "a_share_of_the_mean",
            _kept(lambda z, share: softmax(z) >= share * softmax(z).mean(axis=-1, keepdims=True)),
            "You compare with the mean of the row. Compare with its largest.",
        ),
        Mistake(
            "the_share_subtracted",
            _kept(lambda z, share: softmax(z) >= softmax(z).max(axis=-1, keepdims=True) - share),
            "You take the share off the largest P. Multiply by it.",
        ),
        Mistake(
            "logarithms_returned",
            lambda logits, share: np.where(
                np.isfinite(min_p(logits, share)), log_softmax(np.asarray(logits, dtype=float)), -np.inf
            ),
            "You return logarithms of probabilities. Return the logits as they came.",
        ),
        Mistake(
            "kept_as_probabilities",
            lambda logits, share: np.where(
                np.isfinite(min_p(logits, share)), softmax(np.asarray(logits, dtype=float)), -np.inf
            ),
            "What you keep are probabilities. Return the logits as they came.",
        ),
        Mistake(
            "nearly_infinite",
            lambda logits, share: np.where(np.isfinite(min_p(logits, share)), logits, -1e9),
            "What is cut has a large negative number. It must be -inf, so that no shift brings it back.",
        ),
        Mistake(
            "softmax_down_the_columns",
            _kept(lambda z, share: _over_rows(z) >= share * _over_rows(z).max(axis=-1, keepdims=True)),
            "Your softmax runs down the columns. Each row is a distribution of its own: the last axis.",
        ),
        Mistake(
            "logarithm_to_base_10",
            _kept(lambda z, share: z >= z.max(axis=-1, keepdims=True) + np.log10(max(share, 1e-300))),
            "You took the logarithm to base 10. Softmax takes e to the logits: np.log.",
        ),
        Mistake(
            "a_share_of_the_median",
            _kept(lambda z, share: softmax(z) >= share * np.median(softmax(z), axis=-1, keepdims=True)),
            "You compare with the median of the row. Compare with its largest.",
        ),
        Mistake(
            "softmax_of_what_is_kept",
            lambda logits, share: log_softmax(min_p(logits, share)),
            "You return logarithms of probabilities, shared out anew. Return the logits as they came.",
        ),
        Mistake(
            "a_whole_share_of_the_words",
            _kept(_first_of_all),
            "You keep a share of the words. Compare each P with the largest.",
        ),
        Mistake(
            "logits_times_the_share",
            lambda logits, share: np.where(np.isfinite(min_p(logits, share)), logits * share, -np.inf),
            "You multiplied what you keep by the share. Return the logits as they came.",
        ),
        *MORE,
    ),
    alternatives=(_by_probabilities,),
    stars=1,
    minutes=10,
)
