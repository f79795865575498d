"""More wrong answers of 09.training_pairs."""

from clearhead.checks.exercise import Mistake

MORE = (
    Mistake(
        "shifted_lists_as_answers",
        lambda tokens: [(tokens[:n], tokens[1 : n + 1]) for n in range(1, len(tokens))],
        "Your second parts are lists of words. After each prefix comes one word: tokens[n].",
    ),
    Mistake(
        "place_looked_up_by_the_word",
        lambda tokens: [(tokens[: tokens.index(word)], word) for word in tokens[1:]],
        "You looked for the place of each word. A word can come twice, and index finds the first. Count the "
        "cuts: n from 1 to T - 1.",
    ),
    Mistake(
        "every_piece",
        lambda tokens: [(tokens[i:n], tokens[n]) for n in range(1, len(tokens)) for i in range(n)],
        "Your prefixes begin anywhere. Each must begin at the first token.",
    ),
    Mistake(
        "three_words_back",
        lambda tokens: [(tokens[max(0, n - 3) : n], tokens[n]) for n in range(1, len(tokens))],
        "Your prefixes reach three words back at most. Each must reach back to the first word.",
    ),
    Mistake(
        "whole_sentence_as_prefix",
        lambda tokens: [(tokens, word) for word in tokens[1:]],
        "Each prefix is the whole sentence, with its answer in it. tokens[:n] ends before tokens[n].",
    ),
    Mistake(
        "prefix_from_back_to_front",
        lambda tokens: [(tokens[:n][::-1], tokens[n]) for n in range(1, len(tokens))],
        "Your prefixes stand from back to front. Keep the order of the sentence.",
    ),
    Mistake(
        "prefix_and_answer_in_one_list",
        lambda tokens: [tokens[: n + 1] for n in range(1, len(tokens))],
        "Prefix and answer stand in one list. Return pairs: (tokens[:n], tokens[n]).",
    ),
    Mistake(
        "longest_pair_alone",
        lambda tokens: [(tokens[:-1], tokens[-1])] if len(tokens) > 1 else [],
        "Only the longest pair is there. A sentence of T tokens gives T - 1 pairs.",
    ),
    Mistake(
        "two_lists",
        lambda tokens: ([tokens[:n] for n in range(1, len(tokens))], tokens[1:]),
        "You returned two lists. Return one list of pairs: list(zip(prefixes, words)) makes it.",
    ),
    Mistake(
        "starts_again_at_the_end",
        lambda tokens: [(tokens[:n], tokens[n % len(tokens)]) for n in range(1, len(tokens) + 1)],
        "After the last word you begin again. Nothing is known to come after it.",
    ),
    Mistake(
        "first_pair_missing",
        lambda tokens: [(tokens[:n], tokens[n]) for n in range(2, len(tokens))],
        "The first pair is missing: begin with n = 1, a prefix of one word.",
    ),
    Mistake(
        "nothing_for_one_word",
        lambda tokens: [(tokens[:n], tokens[n]) for n in range(1, len(tokens))] or None,
        "For one word alone you return None. Return an empty list.",
    ),
    Mistake(
        "empty_prefix_and_a_word_skipped",
        lambda tokens: [(tokens[:n], tokens[n + 1]) for n in range(len(tokens) - 1)],
        "Your first prefix is empty, and each answer is one word too far. tokens[:n] ends in front of "
        "tokens[n], its answer; begin with n = 1.",
    ),
)
