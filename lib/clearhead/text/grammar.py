"""A probabilistic grammar that computes its own exact probabilities and entropy."""

import bisect
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import log

import numpy as np

from clearhead.text.parser_states import MAX_STATES, entropy_and_length, state_of
from clearhead.text.rules import STOP, check
from clearhead.text.tokenizers.word import join_words


class Grammar:
    """A source of random sentences whose true probabilities are known.

    A sentence starts as one symbol. The leftmost symbol with rules is replaced by one of its alternatives,
    drawn with the given probability, until only words are left. Probabilities are kept as fractions.

    Parameters
    ----------
    rules : dict of str to list of (str, str)
        For each symbol its alternatives: a probability such as "0.6" or "1/3", and words and symbols
        with spaces between. What has no rules is a word.
    start : str
        The symbol that every sentence starts as.

    Raises
    ------
    ValueError
        If the start has no rules, the probabilities of a symbol do not sum to 1, a symbol can become
        itself before any word is said, or sentences have no finite mean length.

    Notes
    -----
    After a prefix, one of several stacks of symbols may still come; a posterior gives each its probability.
    These posteriors are the states of a Markov chain, whose linear equations give the entropy exactly.

    References
    ----------
    Jelinek and Lafferty (1991), "Computation of the probability of initial substring generation by
    stochastic context-free grammars"; Shannon (1948), section 7, for the entropy of a source with states.

    Examples
    --------
    >>> drinks = Grammar({"SENTENCE": [("1", "a DRINK")], "DRINK": [("0.75", "coffee"), ("0.25", "tea")]})
    >>> drinks.next_words("a")
    {'coffee': 0.75, 'tea': 0.25}
    """

    def __init__(self, rules, start="SENTENCE"):
        self.rules = {
            symbol: [(Fraction(p), tuple(right.split())) for p, right in alternatives]
            for symbol, alternatives in rules.items()
        }
        self.start = start
        check(self.rules, start)
        said = {word for alternatives in self.rules.values() for _, right in alternatives for word in right}
        self.vocabulary = (*sorted(said - set(self.rules)), STOP)
        self._cuts = {
            symbol: [float(cut) for cut in accumulate(p for p, _ in alternatives)]
            for symbol, alternatives in self.rules.items()
        }
        self._first = None

    def __getstate__(self):
        """Return what a copy needs: it meets its own parser states."""
        return {**vars(self), "_first": None}

    def sample(self, rng):
        """Return one sentence as a list of words, "<stop>" not included.

        Parameters
        ----------
        rng : numpy.random.Generator
            Where the draws come from.

        Returns
        -------
        words : list of str
            A sentence, drawn with its true probability.
        """
        words, stack = [], [self.start]
        while stack:
            symbol = stack.pop()
            if symbol in self.rules:
                choice = bisect.bisect_right(self._cuts[symbol], rng.random())
                stack.extend(reversed(self.rules[symbol][choice][1]))
            else:
                words.append(symbol)
        return words

    def text(self, sentences, rng):
        """Return a text of many sentences, each followed by "<stop>".

        Parameters
        ----------
        sentences : int
            How many.
        rng : numpy.random.Generator
            Where the draws come from.

        Returns
        -------
        text : str
            Spaced as `WordTokenizer` expects it.
        """
        words = [word for _ in range(sentences) for word in (*self.sample(rng), STOP)]
        return join_words(words, (STOP,))

    def next_words(self, prefix):
        """Return the true probability of every word that can come next, most likely first.

        Parameters
        ----------
        prefix : list of str, or str
            The words so far (a str has spaces between them). Only what follows the last "<stop>" matters.

        Returns
        -------
        probabilities : dict of str to float
            They sum to 1. "<stop>" is among them where a sentence can end.

        Raises
        ------
        ValueError
            If no sentence starts with this prefix.
        """
        *_, state = self._states(prefix)
        return dict(state.next_words)

    def next_distribution(self, prefix):
        """Return the true next-word probabilities in the order of `vocabulary`.

        Parameters
        ----------
        prefix : list of str, or str
            The words so far.

        Returns
        -------
        probabilities : (V,) float
            They sum to 1.

        Raises
        ------
        ValueError
            If no sentence starts with this prefix.
        """
        following = self.next_words(prefix)
        return np.array([following.get(word, 0.0) for word in self.vocabulary])

    def surprisals(self, words):
        """Return the surprisal -ln P(word | the words before it) of each word, the smallest expected loss.

        Parameters
        ----------
        words : list of str, or str
            Sentences, each best with "<stop>" at its end.

        Returns
        -------
        nats : (T,) float
            Their sum is -ln of the probability of the whole.

        Raises
        ------
        ValueError
            If the grammar cannot say this.
        """
        words = words.split() if isinstance(words, str) else list(words)
        steps = zip(words, self._states(words), strict=False)
        return np.array([-log(_possible(word, state)[0]) for word, state in steps])

    @cached_property
    def _summary(self):
        return entropy_and_length(self._first_state())

    def entropy(self):
        """Return the entropy of a sentence in nats: the mean of -ln P(sentence)."""
        return self._summary[0]

    def mean_length(self):
        """Return the mean number of tokens per sentence, including its "<stop>"."""
        return self._summary[1]

    def all_sentences(self, most=10_000):
        """Return all sentences of a finite grammar with their probabilities, most likely first.

        Parameters
        ----------
        most : int
            More sentences than that are refused: some grammars never end.

        Returns
        -------
        sentences : list of (list of str, float)
            The words, "<stop>" not included, and the probability. These sum to 1.

        Raises
        ------
        ValueError
            If there are more than `most` ways to derive a sentence.
        """
        found, open_ends, ways = {}, [((), (self.start,), Fraction(1))], 0
        while open_ends:
            said, stack, p = open_ends.pop()
            if not stack:
                found[said], ways = found.get(said, 0) + p, ways + 1
            elif stack[0] in self.rules:
                open_ends += [(said, right + stack[1:], p * q) for q, right in self.rules[stack[0]]]
            else:
                open_ends.append(((*said, stack[0]), stack[1:], p))
            if ways + len(open_ends) > most:
                raise ValueError(f"There are more than {most:,} sentences: draw some with `sample`.")
        return [(list(said), float(p)) for said, p in sorted(found.items(), key=lambda item: -item[1])]

    def entropy_rate(self):
        """Return the entropy in nats per token: no model of this text can have a smaller mean loss."""
        return self.entropy() / self.mean_length()

    def _first_state(self):
        """Return the state before the first word, which keeps what was met after it, up to `MAX_STATES`."""
        if self._first is None or len(self._first.known) > MAX_STATES:
            self._first = state_of({(self.start,): Fraction(1)}, self.rules, {})
        return self._first

    def _states(self, words):
        """Yield the parser states before the first word, after one word, after two, and so on."""
        state = self._first_state()
        yield state
        for word in words.split() if isinstance(words, str) else words:
            _, after = _possible(word, state)
            state = self._first_state() if word == STOP else after
            yield state


def _possible(word, state):
    if word not in state.options:
        raise ValueError(f"{word!r} cannot follow here; what can: {', '.join(sorted(state.options))}.")
    return state.options[word]
