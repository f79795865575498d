"""08.count_parameters: Count a GPT."""

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.architectures import GPTConfig
from clearhead.maths.counting import parameters as parameters_of

from .shared import different_sizes


def count_parameters(vocab_size, context_length, d_model, num_layers):
    """Return the number of parameters () of a GPT with these sizes."""
    return parameters_of(GPTConfig(d_model, 1, num_layers, vocab_size, context_length))


def _count_with(
    tables=lambda V, C, D: (V + C) * D, block=lambda D: 12 * D * D + 13 * D, last=lambda D: 2 * D
):
    """Return a count whose tables, blocks or last norm are counted in their own way."""
    return lambda V, C, D, L: tables(V, C, D) + L * block(D) + last(D)


def _all_times_the_blocks(V, C, D, L):
    return _count_with(tables=lambda V, C, D: L * (V + C) * D)(V, C, D, L)


def _count_cases(rng):
    V, C, D, L = different_sizes(rng, 4)
    whole = ("a number of parameters is a whole number", lambda count, *sizes: float(count).is_integer())
    return [
        Case(
            "5 words, 3 places, width 2, one block, by hand",
            (5, 3, 2, 1),
            "Tables 10 and 6; block 12·4 + 13·2 = 74; last norm 4.",
            expected=94,
        ),
        Case("random sizes", (10 * V, C, D, L), "Count each part alone and print it.", properties=(whole,)),
        Case("other sizes", (11 * C, V, L, D), "What grows with the number of blocks?", properties=(whole,)),
        Case("GPT-2", (50_257, 1024, 768, 12), "GPT-2 has 124,439,808.", expected=124_439_808),
        Case(
            "GPT-3",
            (50_257, 2048, 12_288, 96),
            "GPT-3 has 174,604,259,328.",
            expected=174_604_259_328,
        ),
    ]


EXERCISE = Exercise(
    id="08.count_parameters",
    title="Count a GPT",
    reference=count_parameters,
    cases=_count_cases,
    hints=(
        "Four parts: table of words, table of places, blocks, last norm. Only one of them is multiplied by "
        "the number of blocks.",
        "Attention: four matrices D by D with biases. Feed-forward: D by 4D and 4D by D, with biases 4D and "
        "D. A norm: gain and bias.",
        "V·D + C·D + L·(12·D² + 13·D) + 2·D, with the four arguments called V, C, D, L.",
    ),
    mistakes=(
        Mistake(
            "table_counted_twice",
            _count_with(tables=lambda V, C, D: (2 * V + C) * D),
            "You counted the output layer as a table of its own. It is the table of the words: count "
            "it once.",
        ),
        Mistake(
            "places_forgotten",
            _count_with(tables=lambda V, C, D: V * D),
            "The table of the places is missing: one row of D numbers for each place.",
        ),
        Mistake(
            "last_norm_forgotten",
            _count_with(last=lambda D: 0),
            "You are 2·D short: the norm after the last block.",
        ),
        Mistake(
            "block_lacks_9_D",
            _count_with(block=lambda D: 12 * D * D + 4 * D),
            "Each block lacks 9·D. Attention has 4·D biases, feed-forward 5·D, and the two norms hold "
            "4·D numbers.",
        ),
        Mistake(
            "block_lacks_4_D",
            _count_with(block=lambda D: 12 * D * D + 9 * D),
            "Each block lacks 4·D: its two norms have a gain and a bias each, and its attention four biases.",
        ),
        Mistake(
            "norms_without_bias",
            _count_with(block=lambda D: 12 * D * D + 11 * D, last=lambda D: D),
            "A norm has two numbers a column, a gain and a bias. You counted one.",
        ),
        Mistake(
            "output_of_attention_forgotten",
            _count_with(block=lambda D: 11 * D * D + 12 * D),
            "Attention has four matrices: query, key, value, and the output that brings the heads together.",
        ),
        Mistake(
            "feed_forward_not_wider",
            _count_with(block=lambda D: 6 * D * D + 10 * D),
            "Your feed-forward part has the width D inside. It must have 4·D.",
        ),
        Mistake(
            "last_norm_in_every_block",
            _count_with(block=lambda D: 12 * D * D + 15 * D, last=lambda D: 0),
            "You counted the last norm in every block. It comes once, after all of them.",
        ),
        Mistake(
            "one_block_only",
            lambda V, C, D, L: count_parameters(V, C, D, 1),
            "You counted one block. There are num_layers of them, and each learns its own numbers.",
        ),
        Mistake(
            "biases_of_feed_forward_forgotten",
            _count_with(block=lambda D: 12 * D * D + 8 * D),
            "Each block lacks 5·D: the biases of the feed-forward part, 4·D going up and D coming down.",
        ),
        Mistake(
            "block_lacks_2_D",
            _count_with(block=lambda D: 12 * D * D + 11 * D),
            "Each block lacks 2·D. It has two norms, each with a gain and a bias.",
        ),
        Mistake(
            "block_lacks_3_D",
            _count_with(block=lambda D: 12 * D * D + 10 * D),
            "Each block lacks 3·D: the map up has 4·D biases, and each of attention's four matrices has D.",
        ),
        Mistake(
            "bias_of_the_output_counted",
            lambda V, C, D, L: count_parameters(V, C, D, L) + V,
            "You counted a bias for each word at the output. The output layer is the table of words, "
            "and nothing else.",
        ),
        Mistake(
            "places_as_many_as_words",
            _count_with(tables=lambda V, C, D: 2 * V * D),
            "Your table of places has as many rows as there are words. It must have `context_length` rows.",
        ),
        Mistake(
            "places_in_every_block",
            lambda V, C, D, L: count_parameters(V, C, D, L) + (L - 1) * C * D,
            "You counted the table of the places in every block. It comes once, before all of them.",
        ),
        Mistake(
            "one_map_of_feed_forward",
            _count_with(block=lambda D: 8 * D * D + 12 * D),
            "Your feed-forward part has one map. There are two: up, D to 4·D, and down again.",
        ),
        Mistake(
            "matrices_and_tables_alone",
            _count_with(block=lambda D: 12 * D * D, last=lambda D: 0),
            "You counted tables and matrices. Each block also has biases, 9·D, and two norms, 4·D; one norm "
            "more stands at the end.",
        ),
        Mistake(
            "biases_and_norms_of_the_blocks_forgotten",
            _count_with(block=lambda D: 12 * D * D),
            "Your blocks have their matrices alone. Add the biases, 9·D, and the two norms, 4·D.",
        ),
        Mistake(
            "feed_forward_forgotten",
            _count_with(block=lambda D: 4 * D * D + 8 * D),
            "The feed-forward part of each block is missing: two maps, up to 4·D and down again.",
        ),
        Mistake(
            "tables_in_every_block",
            _all_times_the_blocks,
            "You counted the tables in every block. They come once: only the blocks are multiplied.",
        ),
        Mistake(
            "bias_coming_down_too_long",
            _count_with(block=lambda D: 12 * D * D + 16 * D),
            "Each block has 3·D too many. The map down gives D numbers, and has as many biases.",
        ),
        Mistake(
            "one_number_for_a_place",
            _count_with(tables=lambda V, C, D: V * D + C),
            "You counted one number for each place. A place has a row of D numbers, as a word has.",
        ),
    ),
    alternatives=(
        lambda V, C, D, L: sum(
            [V * D, C * D, *[4 * (D * D + D) + D * 4 * D + 4 * D + 4 * D * D + D + 4 * D] * L, 2 * D]
        ),
        lambda V, C, D, L: D * (V + C + 2 + L * (12 * D + 13)),
    ),
    stars=2,
    minutes=15,
    tolerance=1e-12,
)
