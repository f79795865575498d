"""Explanations of mistakes that have no name, by what all wrong results of an answer have in common.

Every sentence states what was found in the results, or by running the reference and the answer on other
arguments, and is true of every case that was tried. Nothing is guessed.
"""

import re
from warnings import catch_warnings

import numpy as np

from ..introspection import parameter_names, renamed_arguments
from ..plain_data import is_error_text
from . import cases, invariants, numbers, outputs, positions, text


def explain(verdict):
    """Return the sentences, possibly none, that are true of all wrong results of a Verdict."""
    tried, found = [*verdict.tried, *verdict.more], []
    with np.errstate(all="ignore"), catch_warnings(action="ignore"):  # students would take them for theirs
        for explanation in EXPLANATIONS:
            found += explanation(verdict, tried, found)
    unknown = [f"`{name}" for name in renamed_arguments(verdict.exercise)]  # students do not know them
    found = [clause for clause in found if not any(name in clause for name in unknown)]
    return [sentence[:1].upper() + sentence[1:] + "." for sentence in found if sentence]


def _outputs(verdict, tried, found):
    """Return clauses on how the outputs are related to the expected ones."""
    wrong = [each for each in tried if each.status == "wrong"]
    if any(each.outcome.output is None for each in wrong):
        return []
    wrong = [each for each in wrong if not is_error_text(each.outcome.output)]  # an error is no output
    written_to = any(each.outcome.changed for each in wrong)  # then the output itself may be right
    return outputs.common_explanation(verdict.exercise, wrong, EXPLAINERS) if wrong and not written_to else []


def _arguments(verdict, tried, found):
    """Return the clauses on changed and on unused arguments, which the Verdict already contains."""
    # a relation between the numbers already says of the outputs what a changed argument would say
    by_numbers = any(OF_NUMBERS.search(clause) and not OF_LINES.search(clause) for clause in found)
    return ["" if by_numbers else verdict.right_for_arguments, verdict.unused]


def _cases(verdict, tried, found):
    """Return clauses on which cases fail, and on a result that is the same in every case."""
    names = parameter_names(verdict.exercise)
    found = cases.explain(names, tried, len(verdict.tried))
    if verdict.mistake:  # where the reason is known, odd and even cases are apart only by chance
        found = [clause for clause in found if not clause.endswith((" is odd", " is even"))]
    return found


#: Clauses on the relation between numbers, see `numbers.relation`; and on rows, columns and axes.
OF_NUMBERS = re.compile(r"\bthe expected one\b|\bthan expected\b|\bwould be right if you\b")
OF_LINES = re.compile(r"\b(rows?|columns?|axis|axes|transpose)\b")
#: The functions that look for explanations, in this order; every explanation that is found is reported.
EXPLANATIONS = [_outputs, _arguments, _cases]

#: The explainers for each kind of output, in this order; only the first explanation found is reported.
EXPLAINERS = {
    "text": [text.items],
    "booleans": [
        lambda of: positions.boolean_tables(of.pairs),
        lambda of: numbers.by_form(of.pairs, of.sizes, of.tolerance),
        lambda of: positions.places(of.pairs),
    ],
    "numbers": [
        lambda of: numbers.relation(of.pairs, of.sizes, of.arguments, of.tolerance),
        lambda of: numbers.other_sizes(of.outputs, of.sizes),
        lambda of: positions.places(of.pairs),
        lambda of: positions.by_parts(of.pairs, of.tolerance) if of.of_one_shape else "",
        lambda of: invariants.invariants(of.pairs) if of.of_one_shape and of.cases > 1 else "",
        lambda of: numbers.almost_right(of.pairs),
    ],
}
