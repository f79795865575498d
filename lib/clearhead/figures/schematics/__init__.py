"""Drawings of one idea each, in the colours of the book, for numbers that the caller computes."""

from .cutting import byte_pair_tree, overlapping_pieces, receptive_field
from .decoding import beam_tree, key_value_cache, nucleus_bar, speculative_round
from .gradients import chain_rule, two_paths
from .layers import class_token, gated_unit, normalised_row, questions_and_replies, reversed_sentence
from .today import equal_strength, one_length, routed_experts, shared_scales, two_memories
from .tuning import conversation, group_advantages, low_rank_update, preference_training

__all__ = [
    "beam_tree",
    "byte_pair_tree",
    "chain_rule",
    "class_token",
    "conversation",
    "equal_strength",
    "gated_unit",
    "group_advantages",
    "key_value_cache",
    "low_rank_update",
    "normalised_row",
    "nucleus_bar",
    "one_length",
    "overlapping_pieces",
    "preference_training",
    "questions_and_replies",
    "receptive_field",
    "reversed_sentence",
    "routed_experts",
    "shared_scales",
    "speculative_round",
    "two_memories",
    "two_paths",
]
