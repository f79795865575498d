"""Cases of 11.fine_tune_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    sizes = [int(n) for n in rng.permutation(np.arange(2, 8))]
    F, D, C, B = sizes[:4]

    def made(mode, F, D, C, B, old, rate, unseen=0):
        draw = rng.normal
        pretrained = {"encoder": draw(size=(F, D)), "head": draw(size=(D, old))}
        fresh = {"encoder": draw(size=(F, D)), "head": draw(size=(D, C))}
        return mode, pretrained, fresh, draw(size=(B, F)), rng.integers(C - unseen, size=B), rate

    def stays(out, mode, pretrained, *rest):
        return np.array_equal(np.asarray(out["encoder"]), pretrained["encoder"])

    def leaves(out, mode, pretrained, *rest):
        return not np.allclose(np.asarray(out["encoder"]), pretrained["encoder"])

    half = np.arctanh(0.5)
    by_hand = (
        "frozen",
        {"encoder": np.array([[half]]), "head": np.array([[9.0, -9.0]])},
        {"encoder": np.array([[-2.0]]), "head": np.zeros((1, 2))},
        np.array([[1.0], [-1.0]]),
        np.array([0, 1]),
        1.0,
    )
    return [
        Case(
            "two texts, frozen, by hand",
            by_hand,
            "h is 0.5 and -0.5, and all probabilities are 1/2. So the gradient with respect to the "
            "logits is 1/4 in size everywhere.",
            expected={"encoder": np.array([[half]]), "head": np.array([[0.25, -0.25]])},
        ),
        Case("frozen", made("frozen", F, D, C, B, C + 1, 0.5),
             "Only the head is updated. It begins with the fresh one, because the pretrained head is "
             "for other classes.",
             properties=(("a frozen encoder keeps its parameters", stays),)),
        Case("fine-tuned", made("fine-tuned", F, D, C, B + 1, C + 2, 0.3),
             "Begin with the pretrained encoder and the fresh head, and update both.",
             properties=(("the parameters of the encoder change", leaves),)),
        Case("from scratch", made("from scratch", D, F, C, B + 2, C + 1, 0.7),
             "Begin with the fresh encoder and the fresh head, and update both."),
        Case("fine-tuned, with as many old classes as new ones", made("fine-tuned", F + 1, D, C, B, C, 2.0),
             "The pretrained head would fit here, but it is for other classes. Begin with the fresh one."),
        Case("frozen, with one class that has no text",
             made("frozen", D + 1, F + 1, C + 1, B + 3, C + 1, 0.1, unseen=1),
             "The number of classes is head.shape[1], even if the last class has no text."),
        Case("from scratch, scores of several thousand",
             ("from scratch", *[{name: 3000 * w for name, w in each.items()} for each in
                                made("from scratch", F, D, C, B, C, 0.2)[1:3]],
              rng.normal(size=(B, F)), rng.integers(C, size=B), 0.2),
             "Exponentials of large logits overflow. Use softmax, which subtracts the largest logit of "
             "each row."),
        Case("frozen, scores of 1000 and 1001, by hand",
             ("frozen", by_hand[1], {"encoder": np.zeros((1, 1)), "head": np.array([[2000.0, 2002.0]])},
              np.array([[1.0]]), np.array([0]), 1.0),
             "The logits are large but close together, so each class has some probability.",
             expected={"encoder": np.array([[half]]),
                       "head": np.array([[2000.0, 2002.0]]) + 0.5 * np.array([[1, -1]]) * np.e / (1 + np.e)}),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
