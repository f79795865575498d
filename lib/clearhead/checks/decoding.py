"""Sheet 10, decoding (over 200 lines: each mistake stands beside its exercise)."""

from itertools import product

import numpy as np

from clearhead.maths import decoding, losses, sampling
from clearhead.maths.softmax import log_softmax, softmax

from .exercise import Case, Exercise, Mistake, Sheet

# softmax_T -------------------------------------------------------------------------------------------------


def softmax_T(z, T):
    """Return the probabilities (V) of logits z (V) at the temperature T, which is 0 or more."""
    return softmax(sampling.temperature(z, T))


def _unless_zero(warm, cold=lambda z: (z == z.max()) / (z == z.max()).sum()):
    """Return an answer that is cold(z) for T = 0 and warm(z, T) otherwise."""
    return lambda z, T: cold(z) if T == 0 else warm(z, T)


def _powers(z, T):
    """Return the probabilities to the power 1/T, made to sum to 1 again."""
    powers = np.exp(log_softmax(z) / T)
    return powers / powers.sum()


def _unshifted(z, T):
    e = np.exp(z / T)
    return e / e.sum()


def _temperature_cases(rng):
    V = int(rng.integers(5, 10))
    z = 2 * rng.normal(size=V)
    one = ("the probabilities sum to 1", lambda p, z, T: np.isclose(np.sum(p), 1))
    ranked = (
        "the likeliest token stays the likeliest",
        lambda p, z, T: np.argmax(np.asarray(p)) == np.argmax(z),
    )
    return [
        Case(
            "two logits, by hand",
            (np.array([0.0, np.log(4.0)]), 0.5),
            "At T = 0.5 the logit ln 4 becomes 2 ln 4 = ln 16. So the weights are 1 to 16.",
            expected=np.array([1 / 17, 16 / 17]),
        ),
        Case("random logits, hot", (z, 2.5), "Divide the logits, then softmax.", properties=(one, ranked)),
        Case("random logits, cold", (z[:-1], 0.3), "Divide the logits first.", properties=(one, ranked)),
        Case("T = 0", (z, 0), "The greedy limit: everything goes to the largest logit.", properties=(one,)),
        Case("T = 0, two largest", (np.array([1.0, 3.0, 0.0, 3.0]), 0), "Equal tokens share: one half each."),
        Case("T = 0, nearly equal", (np.array([2.0, 2.0 - 1e-6, 0.0]), 0), "The largest gets everything, "
             "even if it is the largest by very little. Give T = 0 a line of its own.", properties=(one,)),
        Case("a small T", (np.array([50.0, 49.9, -20.0]), 0.01), "Does e to the 5000 overflow?"),
    ]  # fmt: skip


SOFTMAX_T = Exercise(
    id="10.softmax_T",
    title="Softmax with a temperature",
    reference=softmax_T,
    cases=_temperature_cases,
    hints=(
        "The temperature acts on the logits, before the softmax. Only T = 0 needs a case of its own.",
        "For T > 0 it is softmax(z / T). For T = 0: where is z == z.max()?",
        "if T == 0: best = z == z.max(); return best / best.sum(). Otherwise return softmax(z / T).",
    ),
    mistakes=(
        Mistake(
            "multiplied",
            _unless_zero(lambda z, T: softmax(z * T)),
            "You multiplied by T. A high temperature then sharpens; divide the logits by T.",
        ),
        Mistake(
            "divided_after_softmax",
            _unless_zero(lambda z, T: softmax(z) / T),
            "You divided the probabilities, and they no longer sum to 1. Divide the logits, before softmax.",
        ),
        Mistake(
            "softmax_twice",
            _unless_zero(lambda z, T: softmax(softmax(z) / T)),
            "You took a softmax of probabilities. They lie between 0 and 1, so the result is nearly flat.",
        ),
        Mistake(
            "temperature_not_used",
            _unless_zero(lambda z, T: softmax(z)),
            "Your result does not depend on T: it is the one of T = 1.",
        ),
        Mistake(
            "nan_at_zero",
            lambda z, T: softmax(z / np.float64(T)) if T else np.full(len(z), np.nan),
            "T = 0 divides by zero. Treat it on its own: everything goes to the largest logit.",
        ),
        Mistake(
            "a_small_number_for_zero",
            lambda z, T: softmax(z / max(T, 1e-3)),
            "You put a small number in place of T = 0. Two logits that are nearly equal then share. Ask "
            "where z == z.max().",
        ),
        Mistake(
            "each_largest_gets_one",
            _unless_zero(lambda z, T: softmax(z / T), lambda z: 1.0 * (z == z.max())),
            "Two logits are equally large, and each got 1. Together they must have 1: divide by how many.",
        ),
        Mistake(
            "powers_not_divided",
            _unless_zero(lambda z, T: np.exp(log_softmax(z) / T)),
            "Powers of probabilities do not sum to 1. Divide them by their sum, or divide the logits by T.",
        ),
        Mistake(
            "softmax_forgotten",
            _unless_zero(lambda z, T: z / T),
            "These are the logits, divided by T. Softmax comes after it.",
        ),
        Mistake(
            "uniform_at_zero",
            _unless_zero(lambda z, T: softmax(z / T), lambda z: np.full(len(z), 1 / len(z))),
            "At T = 0 you made all tokens equal. That is the limit of a very high T; 0 is greedy.",
        ),
        Mistake(
            "plain_softmax_at_zero",
            _unless_zero(lambda z, T: softmax(z / T), softmax),
            "At T = 0 you left the softmax as it is. That is T = 1; T = 0 takes the largest logit.",
        ),
        Mistake(
            "one_winner_of_two",
            _unless_zero(lambda z, T: softmax(z / T), lambda z: np.eye(len(z))[np.argmax(z)]),
            "Two logits are equally large, and one of them got everything. In the limit T → 0 they share.",
        ),
        Mistake(
            "overflows",
            _unless_zero(_unshifted),
            "A small T makes large numbers, and e to them overflows. Use softmax, or subtract the largest.",
        ),
    ),
    alternatives=(
        _unless_zero(_powers),
        lambda z, T: softmax((z - z.max()) / max(T, 1e-12)),
    ),
    stars=1,
    minutes=10,
)

# top_k -----------------------------------------------------------------------------------------------------


def top_k(z, k):
    """Return the logits z (V), all but the k largest set to -inf; of equal ones the smaller id stays."""
    return sampling.top_k(z, k)


def _ranks(z):
    """Return how many tokens come before each one, largest first."""
    return np.argsort(np.argsort(-z, kind="stable"), kind="stable")


def _by_counting(z, k):
    """Return the k largest, found by counting for each token who comes before it."""
    before = [sum(b > a or (b == a and j < i) for j, b in enumerate(z)) for i, a in enumerate(z)]
    return [float(a) if n < k else -np.inf for a, n in zip(z, before, strict=True)]


def _k_cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    counted = (
        "exactly k tokens stay",
        lambda out, z, k: (np.asarray(out, dtype=float) > -np.inf).sum() == min(k, len(z)),
    )
    inf = np.inf
    return [
        Case(
            "four logits, by hand",
            (np.array([1.0, 4.0, -2.0, 3.0]), 2),
            "The two largest are 4 and 3. They stay where they are; the others become -inf.",
            expected=np.array([-inf, 4, -inf, 3]),
        ),
        Case("random logits", (z, 3), "Do the k largest keep their values and their places?",
             properties=(counted,)),
        Case("other logits", (5 - 3 * rng.random(V + 2), 4), "Compare the places.", properties=(counted,)),
        Case("equal logits", (np.array([2.0, 5.0, 2.0, 2.0]), 2), "Of equal logits the smaller id stays.",
             properties=(counted,)),
        Case("sixty logits, many of them equal", (rng.integers(0, 3, size=60).astype(float), 25),
             "np.argsort keeps equal logits in order only with kind='stable'.", properties=(counted,)),
        Case("k larger than V", (z, V + 3), "Then everything stays."),
    ]  # fmt: skip


TOP_K = Exercise(
    id="10.top_k",
    title="Keep the k likeliest",
    reference=top_k,
    cases=_k_cases,
    hints=(
        "Which ids have the k largest logits? A sorting function that gives ids, not values, helps.",
        "np.argsort(-z, kind='stable') gives the ids, largest logit first; equal ones stay in order.",
        "out = np.full(len(z), -np.inf); keep = np.argsort(-z, kind='stable')[:k]; out[keep] = z[keep].",
    ),
    mistakes=(
        Mistake(
            "ties_stay",
            lambda z, k: np.where(z >= np.sort(z)[-min(k, len(z))], z, -np.inf),
            "You kept everything that is as large as the k-th. Where logits are equal, that is more than k.",
        ),
        Mistake(
            "later_of_equals",
            lambda z, k: sampling.top_k(z[::-1], k)[::-1],
            "Of equal logits you kept the later id. np.argsort(z) is the cause: sort -z, with kind='stable'.",
        ),
        Mistake(
            "smallest_kept",
            lambda z, k: -sampling.top_k(-z, k) * 1.0,
            "You kept the smallest logits, and the others became +inf. Keep the largest.",
        ),
        Mistake(
            "smallest_kept_by_id",
            lambda z, k: np.where(np.argsort(np.argsort(z, kind="stable")) < k, z, -np.inf),
            "You kept the k smallest. np.argsort sorts upwards: sort -z.",
        ),
        Mistake(
            "zeros_for_the_rest",
            lambda z, k: np.where(_ranks(z) < k, z, 0.0),
            "You set the others to 0. A logit of 0 can still be drawn, since e to the 0 is 1: use -inf.",
        ),
        Mistake(
            "order_of_argsort",
            lambda z, k: np.where(np.argsort(-z, kind="stable") < k, z, -np.inf),
            "np.argsort tells which id is at each rank, not the rank of each id. Use it to index.",
        ),
        Mistake(
            "sorted_values",
            lambda z, k: np.where(np.arange(len(z)) < k, -np.sort(-z), -np.inf),
            "The right values, but sorted: now they belong to other tokens. Keep each at its own id.",
        ),
        Mistake(
            "a_large_number_for_infinity",
            lambda z, k: np.where(_ranks(z) < k, z, -1e9),
            "You set the others to -1,000,000,000. Here they must be -inf, which no logit can be below.",
        ),
        Mistake(
            "ids_returned",
            lambda z, k: np.argsort(-z, kind="stable")[:k],
            "You returned the ids of the k likeliest. Return all V logits, and -inf for the others.",
        ),
        Mistake(
            "values_alone",
            lambda z, k: -np.sort(-z)[:k],
            "You returned the k values alone. Return all V logits, so that an id still means its token.",
        ),
        Mistake(
            "one_short",
            lambda z, k: sampling.top_k(z, k - 1) if k > 1 else np.full(len(z), -np.inf),
            "One token too few stays.",
        ),
    ),
    alternatives=(_by_counting, lambda z, k: np.where(_ranks(z) < k, z, -np.inf)),
    stars=1,
    minutes=10,
)

# top_p -----------------------------------------------------------------------------------------------------


def top_p(z, p):
    """Return the logits z (V), -inf outside the smallest set of likely tokens with a mass of p or more."""
    return sampling.top_p(z, p)


def _cut(z, count):
    """Return the logits, all but the `count` likeliest set to -inf."""
    return np.where(_ranks(z) < count, z, -np.inf)


def _reached(z):
    """Return the mass of the likeliest token, of the likeliest two, and so on."""
    return np.cumsum(-np.sort(-softmax(z)))


def _p_by_loop(z, p):
    """Return the nucleus, taking one token after the other until the mass is there."""
    kept, mass, weights = np.full(len(z), -np.inf), 0.0, softmax(z)
    for v in np.argsort(-z, kind="stable"):
        kept[v] = z[v]
        mass += weights[v]
        if mass >= p - 1e-12:
            break
    return kept


def _p_cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    enough = (
        "what stays has a mass of p or more",
        lambda out, z, p: softmax(z)[np.asarray(out, dtype=float) > -np.inf].sum() > p - 1e-9,
    )
    inf = np.inf
    by_hand = np.log([0.1, 0.6, 0.25, 0.05])
    return [
        Case(
            "four tokens, by hand",
            (by_hand, 0.8),
            "0.6 is not enough; 0.6 + 0.25 = 0.85 is. Two tokens stay, each at its own place.",
            expected=np.where([False, True, True, False], by_hand, -inf),
        ),
        Case("random logits", (z, 0.7), "Sort by probability, add up, stop when p is reached.",
             properties=(enough,)),
        Case("other logits", (1.5 * rng.normal(size=V + 3), 0.93), "Is the token that crosses p still kept?",
             properties=(enough,)),
        Case("one token has it all", (np.array([0.0, 9.0, 1.0]), 0.5), "One token has more than p: it stays.",
             properties=(enough,)),
        Case("four equal tokens", (np.zeros(4), 0.5), "Two of four have exactly 0.5. The first two stay."),
        Case("p = 1", (np.array([0.5, 2.0, 1.0]), 1.0), "p = 1 keeps everything."),
    ]  # fmt: skip


TOP_P = Exercise(
    id="10.top_p",
    title="Keep the nucleus",
    reference=top_p,
    cases=_p_cases,
    hints=(
        "Softmax, sort, add up. Which token is the last one that is needed?",
        "A token stays if the tokens before it (in the sorted order) have a mass below p.",
        "order = np.argsort(-z, kind='stable'); w = softmax(z)[order]; keep = order[np.cumsum(w) - w < p]; "
        "then as in top_k.",
    ),
    mistakes=(
        Mistake(
            "crossing_token_dropped",
            lambda z, p: _cut(z, (_reached(z) <= p + 1e-12).sum()),
            "You stop before p is reached. The token that crosses p belongs to the set, or it can be empty.",
        ),
        Mistake(
            "crossing_token_dropped_but_one_stays",
            lambda z, p: _cut(z, max((_reached(z) <= p + 1e-12).sum(), 1)),
            "At least one token stays, but the one that crosses p is missing: the mass is below p.",
        ),
        Mistake(
            "one_too_many",
            lambda z, p: _cut(z, 1 + (_reached(z) <= p + 1e-12).sum()),
            "Where the mass is exactly p, you took one more. The set must be the smallest one.",
        ),
        Mistake(
            "not_sorted",
            lambda z, p: np.where(np.cumsum(softmax(z)) - softmax(z) < p - 1e-12, z, -np.inf),
            "You added up in the order of the ids. Begin with the likeliest token: sort first.",
        ),
        Mistake(
            "kept_by_rank",
            lambda z, p: np.where((kept := -np.sort(-softmax(z))).cumsum() - kept < p - 1e-12, z, -np.inf),
            "You counted in sorted order, but kept that many tokens from the beginning. Use the order of "
            "np.argsort as an index: order[...] are the ids that stay.",
        ),
        Mistake(
            "sorted_values",
            lambda z, p: _cut(-np.sort(-z), np.isfinite(sampling.top_p(z, p)).sum()),
            "The right values, but sorted: now they belong to other tokens. Keep each at its own id.",
        ),
        Mistake(
            "p_as_a_threshold",
            lambda z, p: np.where(softmax(z) >= p, z, -np.inf),
            "You kept tokens whose own probability is p or more. p is the mass of the whole set.",
        ),
        Mistake(
            "share_of_the_best",
            lambda z, p: np.where(softmax(z) >= (1 - p) * softmax(z).max(), z, -np.inf),
            "You compared each token with the likeliest one. That is another rule (min-p). Add masses up.",
        ),
        Mistake(
            "least_likely_first",
            lambda z, p: np.where(np.isin(np.arange(len(z)), _from_the_bottom(z, p)), z, -np.inf),
            "You began with the least likely tokens. Sort -z, so that the likeliest comes first.",
        ),
        Mistake(
            "zeros_for_the_rest",
            lambda z, p: np.where(np.isneginf(sampling.top_p(z, p)), 0.0, z),
            "You set the others to 0. A logit of 0 can still be drawn: use -inf.",
        ),
        Mistake(
            "probabilities_returned",
            lambda z, p: softmax(sampling.top_p(z, p)),
            "You returned probabilities. Return logits, so that a temperature can still follow.",
        ),
    ),
    alternatives=(_p_by_loop, lambda z, p: _cut(z, 1 + np.searchsorted(_reached(z), p - 1e-12))),
    stars=2,
    minutes=20,
)  # fmt: skip


def _from_the_bottom(z, p):
    """Return the ids of a set with mass p that begins with the least likely token."""
    order = np.argsort(z, kind="stable")
    weights = softmax(z)[order]
    return order[np.cumsum(weights) - weights < p - 1e-12]


# generate --------------------------------------------------------------------------------------------------


def _run_generate(answer, next_token, ids, length, stop, context_length):
    """Return the text, and what `choose` was shown; next_token (V) holds what follows each sum mod V."""
    seen = []

    def choose(context):
        context = [int(token) for token in context]
        seen.append(context)
        return int(next_token[(sum(context) + len(context)) % len(next_token)])

    text = answer(choose, ids, length, stop, context_length)
    return None if text is None else {"text": text, "shown to choose": [" ".join(map(str, c)) for c in seen]}


def generate(choose, ids, length, stop, context_length):
    """Return the prompt ids (S) with at most `length` tokens added, each by choose(the latest tokens)."""
    ids = list(ids)
    for _ in range(length):
        ids.append(choose(ids[-context_length:]))
        if ids[-1] == stop:
            break
    return ids


def _generator(crop=lambda ids, c: ids[-c:], ends=lambda token, stop: token == stop, steps=lambda n: n):
    """Return a generate that crops and ends in its own way."""

    def answer(choose, ids, length, stop, context_length):
        ids = list(ids)
        for _ in range(steps(length)):
            ids.append(choose(crop(ids, context_length)))
            if ends(ids[-1], stop):
                break
        return ids

    return answer


def _after(change):
    """Return generate with its text changed by change(text, prompt, stop)."""
    return lambda choose, ids, length, stop, c: change(
        generate(choose, ids, length, stop, c), list(ids), stop
    )


def _stop_before(choose, ids, length, stop, context_length):
    ids = list(ids)
    while len(ids) < 99 and length > 0 and ids[-1] != stop:
        ids.append(choose(ids[-context_length:]))
        length -= 1
    return ids


def _total_length(choose, ids, length, stop, context_length):
    return generate(choose, ids, max(length - len(ids), 0), stop, context_length)


def _text_cropped(choose, ids, length, stop, context_length):
    ids = list(ids)
    for _ in range(length):
        ids = ids[-context_length:]
        ids.append(choose(ids))
        if ids[-1] == stop:
            break
    return ids


def _with_arrays(choose, ids, length, stop, context_length):
    text = np.array(ids)
    while len(text) < len(ids) + length:
        text = np.append(text, choose(text[max(len(text) - context_length, 0) :]))
        if text[-1] == stop:
            return text
    return text


def _generate_cases(rng):
    V = 7
    never, ids = rng.integers(1, V, size=V), rng.integers(1, V, size=6)  # 0 never comes
    mixed = rng.permutation(V)
    always = np.full(V, 3)
    begins = (
        "the text begins with the prompt",
        lambda out, table, ids, *rest: list(np.asarray(out["text"]))[: len(ids)] == list(ids),
    )
    return [
        Case(
            "choose says 3, by hand",
            (always, np.array([1, 2]), 2, 0, 5),
            "Two tokens are added to 1, 2. The first time choose sees 1, 2, then 1, 2, 3.",
            expected={"text": np.array([1, 2, 3, 3]), "shown to choose": ["1 2", "1 2 3"]},
        ),
        Case("no stop, long context", (never, ids[:3], 6, 0, 20), "All of it is shown to choose.",
             properties=(begins,)),
        Case("short context", (never, ids, 5, 0, 3), "Only choose sees less: the latest 3.",
             properties=(begins,)),
        Case("the stop comes", (always, ids[:2], 6, 3, 4), "After the stop nothing is added.",
             properties=(begins,)),
        Case("a stop in the prompt", (never, np.array([2, 0, 5, 0]), 4, 0, 3),
             "A stop in the prompt ends an earlier text. Only a token that you add can end this one.",
             properties=(begins,)),
        Case("any next token", (mixed, ids, 8, int(mixed[0]), 4), "Compare what choose was shown.",
             properties=(begins,)),
        Case("length 0", (never, ids, 0, 0, 3), "Then the text is the prompt."),
    ]  # fmt: skip


GENERATE = Exercise(
    id="10.generate",
    title="The loop",
    reference=generate,
    cases=_generate_cases,
    hints=(
        "A loop of at most `length` rounds. In each: show choose the latest tokens, append what it says.",
        "The latest tokens are ids[-context_length:]. After appending, compare the new token with stop.",
        "In each round: token = choose(ids[-context_length:]); ids = [*ids, token]; if token == stop: "
        "break. Then return ids.",
    ),
    mistakes=(
        Mistake(
            "stop_ignored",
            _generator(ends=lambda token, stop: False),
            "Your text goes on after the stop token. Leave the loop when it comes.",
        ),
        Mistake(
            "stop_cut_away",
            _after(lambda text, prompt, stop: text[:-1] if stop in text[len(prompt) :] else text),
            "The stop token is missing. Here it stays in the text, as its last token.",
        ),
        Mistake(
            "prompt_missing",
            _after(lambda text, prompt, stop: text[len(prompt) :]),
            "You returned the new tokens alone. The text begins with the prompt.",
        ),
        Mistake(
            "no_crop",
            _generator(crop=lambda ids, c: ids),
            "You show choose the whole text. It can see the latest tokens only: ids[-context_length:].",
        ),
        Mistake(
            "first_tokens_shown",
            _generator(crop=lambda ids, c: ids[:c]),
            "You show choose the first tokens. It needs the latest ones: ids[-context_length:].",
        ),
        Mistake(
            "crop_one_short",
            _generator(crop=lambda ids, c: ids[-c + 1 :]),
            "Your context is one token shorter than it may be.",
        ),
        Mistake(
            "last_token_only",
            _generator(crop=lambda ids, c: ids[-1:]),
            "You show choose the last token only. It may see context_length of them.",
        ),
        Mistake(
            "prompt_only",
            lambda choose, ids, length, stop, c: generate(
                lambda context: choose(list(ids)[-c:]), ids, length, stop, c
            ),
            "choose always sees the prompt. What it said before must come back into its input.",
        ),
        Mistake(
            "text_cropped",
            _text_cropped,
            "You cut the text itself, so its beginning is lost. Cut only what choose is shown.",
        ),
        Mistake(
            "stop_in_the_prompt_counts",
            _stop_before,
            "A stop token in the prompt ended your text. Look at the new token only.",
        ),
        Mistake(
            "length_counts_the_prompt",
            _total_length,
            "`length` is how many tokens are added; you took it for the length of the whole text.",
        ),
        Mistake(
            "one_round_too_many",
            _generator(steps=lambda n: n + 1),
            "One token too many is added.",
        ),
    ),
    alternatives=(_with_arrays,),
    stars=2,
    minutes=15,
    driver=_run_generate,
)  # fmt: skip

# beam_search -----------------------------------------------------------------------------------------------


def _run_beams(answer, table, ids, length, width):
    """Return what the answer finds; table (V, V, V) holds the logits after the last two tokens."""

    def step(ids):
        return table[int(ids[-2]) if len(ids) > 1 else 0, int(ids[-1])].copy()

    return answer(step, list(ids), length, width)


def beam_search(step, ids, length, width):
    """Return the best text (S+length) that `width` beams find after the prompt ids (S), and its log P."""
    best, score = decoding.beam_search(step, ids, length, width)[0]
    return best, score


def _beams(
    keep, score=lambda total, new: total + new, log_p=log_softmax, finish=lambda text, total: (text, total)
):
    """Return a beam search with its own rule for what is kept, added up and returned."""

    def answer(step, ids, length, width):
        beams = [(list(ids), 0.0)]
        for i in range(length):
            longer = [
                ([*text, v], score(total, new))
                for text, total in beams
                for v, new in enumerate(log_p(np.asarray(step(text))))
            ]
            beams = keep(longer, width, i)
        return finish(*beams[0])

    return answer


def _best(beams, width, _=0):
    return sorted(beams, key=lambda beam: -beam[1])[:width]


def _one_child_each(beams, width, i):
    """Return the best beams of the first step, then for each beam its best child alone."""
    if i == 0:
        return _best(beams, width)
    parents = {tuple(text[:-1]) for text, _ in beams}
    return _best([_best([b for b in beams if tuple(b[0][:-1]) == p], 1)[0] for p in sorted(parents)], width)


def _by_products(step, ids, length, width):
    """Return the best text by products of probabilities, and the logarithm of its product."""
    products = _beams(_best, score=lambda total, new: (total or 1.0) * new, log_p=softmax)
    text, probability = products(step, ids, length, width)
    return text, float(np.log(probability))


def _exhaustive(step, ids, length, width):
    """Return the likeliest of all V^length texts."""
    V = len(step(ids))
    found = []
    for new in product(range(V), repeat=length):
        total = sum(log_softmax(step([*ids, *new[:i]]))[v] for i, v in enumerate(new))
        found.append(([*ids, *new], float(total)))
    return max(found, key=lambda beam: beam[1])


TRAP = np.full((3, 3, 3), 0.0)  # start with 0, 0: token 1 looks better (0.5), token 2 is better (0.4 x 0.9)
TRAP[:, 0] = np.log([0.1, 0.5, 0.4])
TRAP[:, 1] = np.log([0.3, 0.4, 0.3])
TRAP[:, 2] = np.log([0.05, 0.9, 0.05])

SIBLINGS = np.zeros((3, 3, 3))  # after the token before and the last one; the rest is even
SIBLINGS[0, 0] = np.log([0.001, 0.6, 0.399])
SIBLINGS[0, 1] = np.log([0.05, 0.5, 0.45])
SIBLINGS[1, 2] = np.log([0.9, 0.05, 0.05])


def _beam_cases(rng):
    V = int(rng.integers(3, 5))
    table = 2 * rng.normal(size=(V, V, V))
    prompt = rng.integers(0, V, size=2)

    def optimal(out, table, ids, length, width):
        return _run_beams(_exhaustive, table, ids, length, width)[1] <= out[1] + 1e-9

    return [
        Case(
            "the trap, two beams, by hand",
            (TRAP + 3, np.array([0]), 2, 2),
            "0.5 · 0.4 = 0.20 behind token 1, but 0.4 · 0.9 = 0.36 behind token 2. The text is 0, 2, 1.",
            expected=[np.array([0, 2, 1]), float(np.log(0.36))],
        ),
        Case("the trap, one beam", (TRAP - 1, np.array([0]), 2, 1), "One beam is greedy: it is trapped.",
             expected=[np.array([0, 1, 1]), float(np.log(0.2))]),
        Case("a random tree, two beams", (table, prompt, 4, 2), "Add up, sort all beams together, keep two."),
        Case("another prompt, three beams", (-table, prompt[::-1].copy(), 3, 3), "Keep three of all."),
        Case(
            "two beams with one parent",
            (SIBLINGS, np.array([0]), 3, 2),
            "After two steps the best two are 0, 1, 1 and 0, 1, 2. The second one wins: 0.6 · 0.45 · 0.9.",
            expected=[np.array([0, 1, 2, 0]), float(np.log(0.6 * 0.45 * 0.9))],
        ),
        Case("as many beams as texts", (table[::-1].copy(), prompt[:1], 3, V**3),
             "With V^n beams nothing is missed: the best of all texts.",
             properties=(("no text is likelier", optimal),)),
    ]  # fmt: skip


BEAM_SEARCH = Exercise(
    id="10.beam_search",
    title="Beam search",
    reference=beam_search,
    cases=_beam_cases,
    hints=(
        "A beam is a pair: a text, and its log-probability so far. Begin with one: (the prompt, 0.0).",
        "In each round, every beam gives V longer ones. Sort all of them together, keep the best `width`.",
        "longer = [([*text, v], total + new) for text, total in beams for v, new in "
        "enumerate(log_softmax(step(text)))]; beams = sorted(longer, key=lambda b: -b[1])[:width].",
    ),
    mistakes=(
        Mistake(
            "greedy",
            _beams(lambda beams, width, _: _best(beams, 1)),
            "You follow one beam only, whatever the width. A beam that is second now may win later.",
        ),
        Mistake(
            "everything_kept",
            _exhaustive,
            "You kept all beams. That finds the best text, but it costs V^n: after each step keep `width`.",
        ),
        Mistake(
            "last_step_only",
            _beams(_best, score=lambda total, new: new),
            "You compare beams by their last token. Add its log-probability to that of the beam.",
        ),
        Mistake(
            "one_child_each",
            _beams(_one_child_each),
            "After the first step each beam keeps its own best child. Let all children compete: two may have "
            "the same parent.",
        ),
        Mistake(
            "logits_added",
            _beams(_best, log_p=lambda z: z),
            "You added logits. They are no log-probabilities until log_softmax has made them comparable.",
        ),
        Mistake(
            "probabilities_added",
            _beams(_best, log_p=softmax),
            "You added probabilities. They multiply; it is their logarithms that add up.",
        ),
        Mistake(
            "probability_returned",
            _beams(_best, finish=lambda text, total: (text, float(np.exp(total)))),
            "The text is right, but you returned its probability. Return the log-probability.",
        ),
        Mistake(
            "mean_returned",
            lambda step, ids, length, width: _beams(
                _best, finish=lambda text, total: (text, total / length)
            )(step, ids, length, width),
            "You divided by the length. Here all texts are equally long: return the sum.",
        ),
        Mistake(
            "prompt_missing",
            lambda step, ids, length, width: _beams(
                _best, finish=lambda text, total: (text[len(ids) :], total)
            )(step, ids, length, width),
            "You returned the new tokens alone. The text begins with the prompt.",
        ),
        Mistake(
            "worst_kept",
            _beams(lambda beams, width, _: sorted(beams, key=lambda beam: beam[1])[:width]),
            "You kept the worst beams. sorted goes upwards: use reverse=True, or sort by the negative.",
        ),
    ),
    alternatives=(_beams(_best), _by_products),
    stars=3,
    minutes=30,
    driver=_run_beams,
)  # fmt: skip

# perplexity ------------------------------------------------------------------------------------------------


def perplexity(logits, targets):
    """Return e to the mean surprise of targets (T) under logits (T, V)."""
    return losses.perplexity(logits, targets)


def _surprises(logits, targets):
    return -log_softmax(logits)[np.arange(len(targets)), targets]


def _of_surprises(finish):
    """Return an answer made of finish(surprises)."""
    return lambda logits, targets: float(finish(_surprises(logits, targets)))


def _log_of_softmax(logits, targets):
    with np.errstate(all="ignore"):
        return np.log(softmax(logits)[np.arange(len(targets)), targets])


def _power(base, exponent):
    with np.errstate(all="ignore"):
        return np.float64(base) ** exponent


def _with_overflow(logits, targets):
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return float(np.exp(-np.log(p[np.arange(len(targets)), targets]).mean()))


def _perplexity_cases(rng):
    T, V = (int(n) for n in rng.permutation(np.arange(3, 9))[:2])
    logits, targets = rng.normal(size=(T, V)), rng.integers(0, V, size=T)
    at_least_one = ("a perplexity is 1 or more", lambda out, *given: np.all(np.asarray(out) >= 1 - 1e-12))
    return [
        Case(
            "one half and one eighth, by hand",
            (np.log([[0.5, 0.5], [0.125, 0.875]]), np.array([0, 0])),
            "1/2 and 1/8: the surprises are ln 2 and ln 8, their mean is ln 4. Perplexity 4.",
            expected=4.0,
        ),
        Case("five equal words", (np.zeros((T, 5)), np.full(T, 2)), "Who guesses among 5 has perplexity 5.",
             expected=5.0),
        Case("random logits", (logits, targets), "Surprise, mean, and e to it.", properties=(at_least_one,)),
        Case("a longer text", (2 * rng.normal(size=(30, V)), rng.integers(0, V, size=30)),
             "It does not grow with the length.", properties=(at_least_one,)),
        Case("logits of thousands", (np.array([[3000.0, 0.0], [2999.0, 3000.0]]), np.array([0, 0])),
             "Does e to a logit overflow? Use log_softmax."),
        Case("one word out of the question", (np.vstack([np.zeros((19, 2)), [[0.0, 900.0]]]),
                                              np.zeros(20, dtype=int)),
             "Its probability is rounded to 0, its logarithm is -900. Use log_softmax."),
        Case("two thousand words", (rng.normal(size=(2000, V)), rng.integers(0, V, size=2000)),
             "A product of 2,000 probabilities is rounded to 0. Take the mean of the logarithms."),
    ]  # fmt: skip


PERPLEXITY = Exercise(
    id="10.perplexity",
    title="Perplexity",
    reference=perplexity,
    cases=_perplexity_cases,
    hints=(
        "Three steps: the surprise at each true word, their mean, and e to it.",
        "log_softmax(logits)[np.arange(len(targets)), targets] picks one log-probability from each row.",
        "np.exp(-log_softmax(logits)[np.arange(len(targets)), targets].mean())",
    ),
    mistakes=(
        Mistake(
            "loss_returned",
            _of_surprises(np.mean),
            "This is the mean surprise, in nats. Perplexity is e to it.",
        ),
        Mistake(
            "sum_not_mean",
            _of_surprises(lambda s: np.exp(s.sum())),
            "You added the surprises up, so a longer text is worse. Take their mean.",
        ),
        Mistake(
            "mean_of_inverses",
            _of_surprises(lambda s: np.exp(s).mean()),
            "You took the mean of 1/p. First the mean of the surprises, then e to it.",
        ),
        Mistake(
            "inverse_of_the_mean",
            _of_surprises(lambda s: 1 / np.exp(-s).mean()),
            "You took 1 over the mean probability. Probabilities multiply: average their logarithms.",
        ),
        Mistake(
            "sign_forgotten",
            _of_surprises(lambda s: np.exp(-s.mean())),
            "Your number is below 1. The logarithm of a probability is negative: a minus is missing.",
        ),
        Mistake(
            "two_to_the_nats",
            _of_surprises(lambda s: 2 ** s.mean()),
            "You took 2 to a mean in nats. With natural logarithms it is e; with base 2 it is 2.",
        ),
        Mistake(
            "logarithm_of_zero",
            lambda logits, targets: float(np.exp(-_log_of_softmax(logits, targets).mean())),
            "A probability was rounded to 0, and its logarithm is -inf. log_softmax never makes that 0.",
        ),
        Mistake(
            "product_of_probabilities",
            _of_surprises(lambda s: _power(np.prod(np.exp(-s)), -1 / len(s))),
            "You multiplied all probabilities, and a long product is rounded to 0. Average the logarithms.",
        ),
        Mistake(
            "surprise_of_the_likeliest",
            lambda logits, targets: float(np.exp(-log_softmax(logits).max(axis=-1).mean())),
            "You took the likeliest word at each place. Take the word that came: targets.",
        ),
        Mistake(
            "over_all_words",
            lambda logits, targets: float(np.exp(-log_softmax(logits).mean())),
            "You averaged over all words. Pick one log-probability from each row, that of its target.",
        ),
        Mistake(
            "over_the_tokens",
            lambda logits, targets: float(
                np.exp(-log_softmax(logits.T).T[np.arange(len(targets)), targets].mean())
            ),
            "Your softmax runs over the tokens. Each token has its own distribution: the last axis.",
        ),
        Mistake(
            "overflows",
            _with_overflow,
            "Large logits overflow. log_softmax does softmax and logarithm in one, safely.",
        ),
    ),
    alternatives=(
        _of_surprises(lambda s: 2 ** (s / np.log(2)).mean()),
        _of_surprises(lambda s: np.prod(np.exp(s / len(s)))),
    ),
    stars=2,
    minutes=10,
)  # fmt: skip

SHEET = Sheet(
    "10",
    "Decoding",
    exercises=(SOFTMAX_T, TOP_K, TOP_P, GENERATE, BEAM_SEARCH, PERPLEXITY),
)
