"""A forward pass with parts that can be replaced, and more wrong answers of 11.encdec_forward."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths import models
from clearhead.maths.masks import causal_mask
from clearhead.maths.transformer import post_norm_decoder_block, post_norm_encoder_block


def _forward(
    read=lambda x, past, real: real,
    first=lambda source, target: (source, target),
    past=causal_mask,
    blocks=lambda blocks: blocks,
    context=lambda contexts, i: contexts[-1],
    crossed=lambda real: real,
    finish=lambda x, table: x @ table.T,
    placed=models._placed,
    order=lambda blocks: blocks,
    side_by_side=(),
    heads=lambda num_heads: num_heads,
    back=None,
    placed_source=None,
    placed_target=None,
):
    """Return a forward pass in which each of these parts can be replaced by a wrong one."""

    def answer(source, target, parameters, num_heads, real):
        table, H = parameters["tokens"], heads(num_heads)
        ids, said = first(source, target)
        contexts = [(placed_source or placed)(ids, table)]
        x = (placed_target or placed)(said, table)
        start, relu = x, {"activation": lambda z: np.maximum(z, 0)}
        for block in blocks(parameters["encoder"]):
            mask = read(contexts[-1], causal_mask(len(ids)), real)
            given = contexts[0] if "encoder" in side_by_side else contexts[-1]
            contexts.append(post_norm_encoder_block(given, block, H, mask, **relu))
        for i, block in enumerate(order(blocks(parameters["decoder"]))):
            x = start if "decoder" in side_by_side else x
            seen = x if context is None else context(contexts, i)
            mask = None if context is None else crossed(real)
            x = post_norm_decoder_block(x, seen, block, H, past(len(said)), mask, **relu)
        return finish(x, table) if back is None else back(x, contexts[-1], table)

    return answer


def _by_index(blocks):
    return [blocks[0]]


def _encoded_again(source, target, parameters, num_heads, real):
    """Return the logits where the encoder blocks run again in front of each decoder block."""
    table, relu = parameters["tokens"], {"activation": lambda z: np.maximum(z, 0)}
    context, x = models._placed(source, table), models._placed(target, table)
    for block in parameters["decoder"]:
        for each in parameters["encoder"]:
            context = post_norm_encoder_block(context, each, num_heads, real, **relu)
        x = post_norm_decoder_block(x, context, block, num_heads, causal_mask(len(target)), real, **relu)
    return x @ table.T


def _in_pairs(source, target, parameters, num_heads, real):
    """Return the logits of as many blocks on each side as the shorter side has."""
    pairs = list(zip(parameters["encoder"], parameters["decoder"], strict=False))
    sides = {"encoder": [one for one, _ in pairs], "decoder": [other for _, other in pairs]}
    return _forward()(source, target, parameters | sides, num_heads, real)


def _placed_unscaled(ids, table):
    return models._placed(ids, table) + table[ids] * (1 - np.sqrt(table.shape[1]))


def _placed_twice(ids, table):
    return models._placed(ids, table) * 2 - table[ids] * np.sqrt(table.shape[1])


MORE = (
    Mistake(
        "encoder_blocks_side_by_side",
        _forward(side_by_side=("encoder",)),
        "Each of your encoder blocks reads the placed source. The second reads what the first has made.",
    ),
    Mistake(
        "decoder_blocks_side_by_side",
        _forward(side_by_side=("decoder",)),
        "Each of your decoder blocks reads the placed target. The second reads what the first has made.",
    ),
    Mistake(
        "first_block_by_index",
        _forward(blocks=_by_index),
        "You take the first block of each side alone, and that fails where there is none. Loop over all "
        "blocks.",
    ),
    Mistake(
        "last_block_alone",
        _forward(blocks=lambda blocks: blocks[-1:]),
        "You use the last block of each side only.",
    ),
    Mistake(
        "source_and_target_exchanged",
        lambda source, target, parameters, num_heads, real: _forward(
            first=lambda source, target: (target, source),
            read=lambda x, past, real: None,
            crossed=lambda real: None,
        )(source, target, parameters, num_heads, real),
        "Source and target have changed places: the encoder reads the source, the decoder the target.",
    ),
    Mistake(
        "last_row_alone",
        _forward(finish=lambda x, table: x[-1] @ table.T),
        "Only the last row came back. Return the logits of all target tokens.",
    ),
    Mistake(
        "scores_of_the_source",
        _forward(back=lambda x, context, table: context @ table.T),
        "You compared the source with the table. Compare what the decoder has made.",
    ),
    Mistake("one_head", _forward(heads=lambda num_heads: 1), "You use one head, whatever num_heads is."),
    Mistake(
        "places_added_twice",
        _forward(placed=_placed_twice),
        "The positions are added twice. placed(ids, table) has done it already.",
    ),
    Mistake(
        "no_mask_for_padding",
        _forward(read=lambda x, past, real: None, crossed=lambda real: None),
        "Everybody looks at padding: give `real` to the encoder blocks, and as the second mask to the "
        "decoder blocks.",
    ),
    Mistake(
        "no_mask_at_all",
        _forward(read=lambda x, past, real: None, crossed=lambda real: None, past=lambda length: None),
        "You use no mask. `real` hides padding, and the causal mask hides the future of the target.",
    ),
    Mistake(
        "target_not_placed",
        _forward(placed_target=lambda ids, table: table[ids]),
        "Your target tokens do not know their places. The target is placed as the source is: "
        "placed(target, table).",
    ),
    Mistake(
        "target_without_positions",
        _forward(placed_target=lambda ids, table: table[ids] * np.sqrt(table.shape[1])),
        "Your target has no positions. It is placed as the source is: placed(target, table).",
    ),
    Mistake(
        "source_not_placed",
        _forward(placed_source=lambda ids, table: table[ids]),
        "Your source tokens do not know their places. The source is placed as the target is: "
        "placed(source, table).",
    ),
    Mistake(
        "encoder_runs_again",
        _encoded_again,
        "Your encoder blocks run again in front of each decoder block. Run them once, before the first.",
    ),
    Mistake(
        "vectors_not_scaled",
        _forward(placed=_placed_unscaled),
        "You placed the tokens without the root of D, by which placed multiplies the vectors. Use "
        "placed(ids, table).",
    ),
    Mistake(
        "logits_divided_by_the_root",
        _forward(finish=lambda x, table: x @ table.T / np.sqrt(table.shape[1])),
        "You divided the logits by √D. That belongs to attention: x @ table.T is all.",
    ),
    Mistake(
        "blocks_in_pairs",
        _in_pairs,
        "You run the blocks in pairs, and where one side has fewer the others are lost. Write two loops.",
    ),
)
