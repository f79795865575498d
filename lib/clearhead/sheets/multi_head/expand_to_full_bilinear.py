"""06.expand_to_full_bilinear: Two matrices a head."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.heads import multi_head_attention
from clearhead.maths.softmax import softmax

from .expand_to_full_bilinear_wrong import MORE, by_loops
from .shared import head_blocks, random_layer


def expand_to_full_bilinear(W_q, W_k, W_v, W_o, num_heads):
    """Return M and N, both (H, D, D): head h has the scaled scores X M_h Xᵀ and writes A_h X N_h."""
    q, k, v = (head_blocks(W, num_heads) for W in (W_q, W_k, W_v))
    return q @ k.mT / np.sqrt(q.shape[-1]), v @ np.array(np.split(W_o, num_heads))


def _rebuilds_the_layer(found, W_q, W_k, W_v, W_o, num_heads):
    X = np.random.default_rng(0).normal(size=(3, len(W_q)))
    rebuilt = sum(softmax(X @ M @ X.T) @ X @ N for M, N in zip(*found, strict=True))
    layer = {"query": W_q, "key": W_k, "value": W_v, "output": W_o}
    layer = {name: {"weight": weight} for name, weight in layer.items()}
    return np.allclose(rebuilt, multi_head_attention(X, X, layer, num_heads)[0])


def _expanded(M=None, N=None):
    """Return an answer with its own M or N."""

    def expand(W_q, W_k, W_v, W_o, num_heads):
        right = expand_to_full_bilinear(W_q, W_k, W_v, W_o, num_heads)
        q, k, v = (head_blocks(W, num_heads) for W in (W_q, W_k, W_v))
        o = np.array(np.split(W_o, num_heads))
        return right[0] if M is None else M(q, k), right[1] if N is None else N(v, o, W_o)

    return expand


def _facts(found, *weights):
    """Return M and N as they are; a list, which has no shape, becomes these words."""
    if not isinstance(found, list | tuple):
        return found
    return [f"a list of {len(each)} came back" if isinstance(each, list | tuple) else each for each in found]


def _expand_cases(rng):
    _, *weights, H = random_layer(rng)
    small = [np.array(rows, dtype=float) for rows in ([[1, 0], [0, 2]], [[3, 1], [0, 1]], [[1, 2], [0, 1]])]
    W_o = np.array([[1.0, 0], [4, 5]])
    by_hand = [
        np.array([[[3, 0], [0, 0]], [[0, 0], [2, 2]]]),
        np.array([[[1, 0], [0, 0]], [[8, 10], [4, 5]]]),
    ]
    sum_is_the_layer = (
        "for any X, the sum over heads of softmax(X M_h Xᵀ) X N_h is the output of the layer",
        _rebuilds_the_layer,
    )
    return [
        Case(
            "two heads of size 1, by hand",
            (*small, W_o, 2),
            "The first head has the query column (1, 0) and the key column (3, 0): M is their table "
            "of products.",
            expected=by_hand,
        ),
        Case(
            "random weights",
            (*weights, H),
            "Put your M and N back into the sum.",
            properties=(sum_is_the_layer,),
        ),
        Case("other weights", (*random_layer(rng)[1:],), "Every M_h has D rows and D columns."),
    ]


EXERCISE = Exercise(
    id="06.expand_to_full_bilinear",
    title="Two matrices a head",
    reference=expand_to_full_bilinear,
    cases=_expand_cases,
    hints=(
        "In chapter 5 the scores were X M Xᵀ with M = W_q W_kᵀ. Now each head has its own M.",
        "What head h writes is A_h (X W_v^h) W_o^h. Change the brackets: A_h X (W_v^h W_o^h).",
        "np.split(W_q, num_heads, axis=1) gives the heads' columns, np.split(W_o, num_heads) their rows. "
        "Do not forget √d in M.",
    ),
    mistakes=(
        Mistake(
            "no_scale",
            _expanded(M=lambda q, k: q @ k.mT),
            "N is right. Put the scale into M: divide by √d, where d is the size of a key.",
        ),
        Mistake(
            "scaled_by_d_model",
            _expanded(M=lambda q, k: q @ k.mT / np.sqrt(q.shape[1])),
            "N is right. You divided M by √D; a score adds up d products, the size of a key: √d.",
        ),
        Mistake(
            "keys_ask_queries",
            _expanded(M=lambda q, k: k @ q.mT / np.sqrt(q.shape[-1])),
            "Your M is transposed: rows of X M Xᵀ must be queries, so W_q stands on the left.",
        ),
        Mistake(
            "all_heads_in_one",
            _expanded(
                M=lambda q, k: (q @ k.mT / np.sqrt(q.shape[-1])).sum(0), N=lambda v, o, W_o: (v @ o).sum(0)
            ),
            "Your M and N add up the heads, as W_q @ W_k.T without a split does. Softmax stands between "
            "them, so each head must keep its own two tables.",
        ),
        Mistake(
            "every_head_writes_with_the_first_block",
            _expanded(N=lambda v, o, W_o: v @ o[0]),
            "M is right. Each head writes with its own block of rows of W_o, not with the first one.",
        ),
        Mistake(
            "output_matrix_forgotten",
            _expanded(N=lambda v, o, W_o: v),
            "M is right. N needs both steps: W_v of the head, then its block of W_o.",
        ),
        Mistake(
            "blocks_of_W_o_dealt_like_cards",
            _expanded(N=lambda v, o, W_o: v @ np.array([W_o[h :: len(v)] for h in range(len(v))])),
            "M is right. A head owns neighbouring rows of W_o: a block, not every H-th row.",
        ),
        Mistake(
            "both_exchanged",
            lambda *given: expand_to_full_bilinear(*given)[::-1],
            "Both are right, but they have changed places: return M, then N.",
        ),
        Mistake(
            "scaled_by_the_size_of_a_value",
            lambda W_q, W_k, W_v, W_o, H: (
                expand_to_full_bilinear(W_q, W_k, W_v, W_o, H)[0] * np.sqrt(W_q.shape[1] / W_v.shape[1]),
                expand_to_full_bilinear(W_q, W_k, W_v, W_o, H)[1],
            ),
            "N is right. You divided M by √e, from the size of a value. A score adds up d products: √d.",
        ),
        Mistake(
            "what_is_written_transposed",
            _expanded(N=lambda v, o, W_o: (v @ o).mT),
            "M is right. Your N is transposed: W_v of the head stands on the left, its block of W_o "
            "on the right.",
        ),
        Mistake(
            "divided_by_d",
            lambda W_q, W_k, W_v, W_o, H: (lambda M, N: (M / np.sqrt(W_q.shape[1] // H), N))(
                *expand_to_full_bilinear(W_q, W_k, W_v, W_o, H)
            ),
            "You divided M by d. Divide by its square root.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda W_q, W_k, W_v, W_o, H: (
            np.einsum("dhk,ehk->hde", W_q.reshape(len(W_q), H, -1), W_k.reshape(len(W_k), H, -1))
            / np.sqrt(W_q.shape[1] / H),
            np.einsum("dhv,hve->hde", W_v.reshape(len(W_v), H, -1), W_o.reshape(H, -1, W_o.shape[1])),
        ),
        lambda W_q, W_k, W_v, W_o, H: tuple(map(np.array, by_loops(W_q, W_k, W_v, W_o, H))),
    ),
    facts=_facts,
    stars=3,
    minutes=20,
)
