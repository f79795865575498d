"""A grammar of short stories that stay consistent in their persons, objects, places and endings.

    python -m clearhead.pretrained.stories 5 [SEED]     prints five stories

The words are in `story_words.toml`, the plots in `story_plots.toml`, and the acts in `story_acts.toml`.
A story has a cast and a plot, and each plot keeps to the subject of its first sentence.
A slot of the plot keeps its word, so a red kite stays a red kite, and Mia stays Mia.
"""

import functools
import re
import sys

import numpy as np

from .story_cast import Cast, plots, words

CHOICE = re.compile(r"\[([^\[\]]*)\]")
HOLE = re.compile(r"\{(\w+)\}|<(\w+)>")
#: The fractions of stories that use the list of unusual words, and of those that introduce the hero first.
UNUSUAL, OPENED = 0.4, 0.3
#: The list of unusual words that may replace those of each list.
LIKE = {"toy": "noun", "thing": "noun", "lost": "noun", "look": "look", "trait": "trait", "animal": "kind"}
WHERE = {"to": "to", "place": ""}
PREPOSITION = re.compile(r"^\w+( to)?(?= )")


def story(rng):
    """Return one random story of three to ten sentences that keep to one subject.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of all random choices.
    """
    return Story(rng).tell()


class Story:
    """A story in progress: its cast, and the word in each slot that has been filled.

    Parameters
    ----------
    rng : numpy.random.Generator
    """

    def __init__(self, rng):
        self.rng, self.slots = rng, {}
        self.unusual = rng.random() < UNUSUAL
        self.cast = Cast(self)
        kind = self.pick(self.cast.plots)
        self.plot = self.pick(plots()["plots"]["acts" if kind == "beast" else kind])
        act = self.pick(plots()["acts"].get(kind, plots()["acts"]["anyone"]))
        self.act = dict(zip(("did", "do", "why", "next"), act.split(" / "), strict=True))

    def tell(self):
        """Return the text of the story, in which the hero may be introduced before the plot begins."""
        lines = self.plot.strip().split("\n")
        if "{hero}" not in lines[0] and self.cast.what != "pair" and self.rng.random() < OPENED:
            lines.insert(0, self.pick(plots()["openings"][self.cast.manner]))
        return tidy(self.cast.agreeing(" ".join(self.fill(line.strip()) for line in lines)))

    def pick(self, options):
        """Return one of the options, each equally likely."""
        return options[int(self.rng.integers(len(options)))]

    def fill(self, line):
        """Return a line of the plot with every choice made and every slot filled, from left to right."""
        line = self.swapped(self.chosen(line))
        while hole := HOLE.search(line):
            slot, rule = hole.groups()
            before, after = line[: hole.start()], line[hole.end() :]
            line = before + (self.rule(rule) if rule else self.word(slot, before)) + after
        return line

    def rule(self, name):
        """Return one of the alternatives of a rule, where the day of a story is named only once."""
        if name == "time":
            name = "later" if "<time>" in self.slots or "sky" in self.slots else name
            self.slots["<time>"] = ""
        return self.chosen(self.pick(plots()["rules"][name]))

    def chosen(self, line):
        """Return a line in which each pair of brackets is replaced by one of its alternatives."""
        while CHOICE.search(line):
            line = CHOICE.sub(lambda found: self.pick(found[1].split("|")), line)
        return line

    def word(self, slot, before):
        """Return the word for a slot, which is part of the act, of the cast, a place, or a word of a list."""
        if slot in self.act:
            return self.swapped(self.chosen(self.act[slot]))
        person = self.cast.word(slot, before)
        if person is not None:
            return person
        name, number = re.fullmatch(r"(\D+)(\d*)", slot).groups()
        if name == "at":
            return self.kept("place" + number)
        if name in ("to", "place"):
            return PREPOSITION.sub(WHERE[name], self.kept("place" + number)).lstrip()
        return self.kept(slot)

    def kept(self, slot):
        """Return the word of a slot, which is drawn at the first use, and differs from all other words."""
        if slot not in self.slots:
            name = slot.rstrip("0123456789")
            rare = self.unusual and self.rng.random() < 0.6
            rare_name = LIKE.get(name, "place" if name == "place" else "")
            options = words()["unusual"][rare_name] if rare and rare_name else words()["words"][name]
            free = [word for word in options if word not in self.slots.values()]
            self.slots[slot] = self.finer(name, self.pick(free))
        return self.slots[slot]

    def finer(self, name, word):
        """Return a word of a list, to which an adjective is occasionally added."""
        more = words()["words"]
        if name == "look" and word in more["colour"] and self.rng.random() < 0.5:
            return f"{self.pick(more['big_small'])} {word}"
        if name == "place" and word.count(" ") == 2 and self.rng.random() < 0.35:
            return word.replace(" the ", f" the {self.pick(more['kind_of_place'])} ")
        return word

    def swapped(self, line):
        """Return a line of the plot in which some words are replaced by synonyms."""
        return swap().sub(lambda found: self.pick(plots()["swaps"][found[0]]), line)


@functools.cache
def swap():
    """Return a pattern that matches all words with synonyms, longest first."""
    some = sorted(plots()["swaps"], key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, some))})(?!\w)")


def tidy(text):
    """Return a text with capitals at the beginning of sentences, and with *an* before vowels."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(^|[.!?] |\band ), ", r"\1", text).replace("..", ".").replace(" .", ".")
    text = re.sub(r"\b([Aa]) (?=[aeiou]|honest)(?!uni|use|eu|uk|one\b|once\b)", r"\1n ", text)
    text = re.sub(r"(^|[.!?] |\.\" |[ ^]\")([a-z])", lambda found: found[1] + found[2].upper(), text)
    return re.sub(r'^"([a-z])', lambda found: '"' + found[1].upper(), text)


if __name__ == "__main__":
    source = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print("\n\n".join(story(source) for _ in range(int(sys.argv[1]))))
