"""More wrong answers of 18.dpo_loss."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _z(c, r, rc, rr, beta):
    return beta * ((c - rc) - (r - rr))


def _loss(z):
    return np.logaddexp(0, -z)


def _of(loss):
    """Return the mean of loss(z)."""
    return lambda *given: loss(_z(*given)).mean()


def _gap(gap):
    """Return the mean loss of β gap(chosen, rejected, and both under the reference)."""
    return lambda *given: _loss(given[-1] * gap(*given[:-1])).mean()


def _sigmoid(z):
    return np.exp(-_loss(z))


MORE = (
    Mistake(
        "sign_forgotten",
        _of(lambda z: -_loss(z)),
        "That is the mean of ln σ(z). The loss is minus it.",
    ),
    Mistake(
        "one_minus_the_probability",
        _of(lambda z: 1 - _sigmoid(z)),
        "You take 1 - σ(z). The loss is -ln σ(z).",
    ),
    Mistake(
        "probability_returned",
        _of(_sigmoid),
        "That is the mean of σ(z). The loss is the mean of minus its logarithm.",
    ),
    Mistake(
        "logarithm_of_the_mean",
        lambda *given: -np.log(np.maximum(_sigmoid(_z(*given)).mean(), 1e-300)),
        "You take the mean of σ(z), then the logarithm. Take the logarithm of each pair, then the mean.",
    ),
    Mistake(
        "in_bits", _of(lambda z: _loss(z) / np.log(2)), "Your loss is in bits. Take the natural logarithm."
    ),
    Mistake(
        "rejected_forgotten",
        _gap(lambda c, r, rc, rr: c - rc),
        "The rejected answer is missing: z is the chosen side minus the rejected side.",
    ),
    Mistake(
        "chosen_forgotten",
        _gap(lambda c, r, rc, rr: rr - r),
        "The chosen answer is missing: z is the chosen side minus the rejected side.",
    ),
    Mistake(
        "both_sides_added",
        _gap(lambda c, r, rc, rr: (c - rc) + (r - rr)),
        "You add the two sides. The rejected side is taken away.",
    ),
    Mistake(
        "reference_of_the_chosen_forgotten",
        _gap(lambda c, r, rc, rr: c - (r - rr)),
        "ref_chosen is missing: both answers are compared with the reference.",
    ),
    Mistake(
        "brackets_forgotten",
        _gap(lambda c, r, rc, rr: c - rc - r - rr),
        "The brackets are missing: minus (rejected - ref_rejected) is minus rejected, plus ref_rejected.",
    ),
    Mistake(
        "chosen_turned_round",
        _gap(lambda c, r, rc, rr: (rc - c) - (r - rr)),
        "On the chosen side you took the policy from the reference. It is chosen - ref_chosen.",
    ),
    Mistake(
        "ratios_for_logarithms",
        _gap(lambda c, r, rc, rr: np.exp(c - rc) - np.exp(r - rr)),
        "You took e to the differences: that gives the ratios themselves. z is made of their logarithms.",
    ),
    Mistake(
        "probabilities_subtracted",
        _gap(lambda c, r, rc, rr: (np.exp(c) - np.exp(rc)) - (np.exp(r) - np.exp(rr))),
        "You subtracted probabilities. Subtract their logarithms, as they are given.",
    ),
    Mistake(
        "logarithms_taken_again",
        _gap(lambda c, r, rc, rr: np.log(c / rc) - np.log(r / rr)),
        "You took the logarithm of what are logarithms already: ln(π/π_ref) is chosen - ref_chosen.",
    ),
    Mistake(
        "beta_on_the_policy_alone",
        lambda c, r, rc, rr, beta: _loss(beta * (c - r) - (rc - rr)).mean(),
        "β multiplies only the policy. It multiplies the reference as well.",
    ),
    Mistake(
        "beta_on_the_other_side",
        lambda c, r, rc, rr, beta: _loss((c - rc) - beta * (r - rr)).mean(),
        "β multiplies only the rejected side. It multiplies both.",
    ),
    Mistake(
        "a_little_added",
        _of(lambda z: -np.log(_sigmoid(z) + 1e-8)),
        "You added 1e-8 to σ(z) before the logarithm, which caps the loss near 18. Take np.logaddexp(0, -z).",
    ),
    Mistake(
        "a_very_little_added",
        _of(lambda z: -np.log(_sigmoid(z) + 1e-12)),
        "You added 1e-12 to σ(z) before the logarithm: that caps the loss near 28. Take np.logaddexp(0, -z).",
    ),
    Mistake(
        "clipped",
        _of(lambda z: _loss(np.clip(z, -500, 500))),
        "You clipped z at -500. The loss goes on: np.logaddexp(0, -z) needs no clipping.",
    ),
    Mistake(
        "one_loss_for_each_pair",
        lambda *given: _loss(_z(*given)),
        "You returned the loss of each pair. Return their mean.",
    ),
    Mistake(
        "squared",
        _of(lambda z: (z - 1) ** 2),
        "You took the squared distance of z from 1. The loss is -ln σ(z).",
    ),
    Mistake(
        "z_returned", _of(lambda z: z), "That is the mean of z itself. The loss is the mean of -ln σ(z)."
    ),
    Mistake(
        "clipped_at_30",
        _of(lambda z: _loss(np.clip(z, -30, 30))),
        "You cut z at -30. Far below 0 the loss is -z: np.logaddexp(0, -z) bears any z.",
    ),
    Mistake(
        "a_margin_of_one",
        _of(lambda z: np.maximum(0, 1 - z)),
        "You took max(0, 1 - z), the loss with a margin. Here it is -ln σ(z).",
    ),
    Mistake(
        "share_of_pairs_right",
        _of(lambda z: z > 0),
        "That is the share of pairs in which z is above 0. The loss is the mean of -ln σ(z).",
    ),
    Mistake(
        "squared_distance",
        lambda *given: ((_z(*given) / given[-1] - 1 / (2 * given[-1])) ** 2).mean(),
        "You took a squared distance, as IPO does. The loss of DPO is -ln σ(z).",
    ),
    Mistake(
        "median_loss",
        lambda *given: np.median(_loss(_z(*given))),
        "You took the median. The loss is the mean.",
    ),
    Mistake(
        "pairs_lost",
        _of(lambda z: z < 0),
        "That is the share of pairs in which z is below 0. The loss is the mean of -ln σ(z).",
    ),
    Mistake(
        "each_side_alone",
        lambda c, r, rc, rr, beta: (_loss(beta * (c - rc)) + _loss(-beta * (r - rr))).mean(),
        "You took a loss of each side alone, and added them. There is one z: the chosen side minus the "
        "rejected.",
    ),
    Mistake(
        "clipped_at_20",
        _of(lambda z: _loss(np.maximum(z, -20))),
        "You cut z at -20. Far below 0 the loss is -z: np.logaddexp(0, -z) bears any z.",
    ),
    Mistake(
        "size_of_z",
        _of(lambda z: _loss(np.abs(z))),
        "You took z without its sign. A pair with z below 0 must have a larger loss than one above.",
    ),
)
