"""A grammar of short stories whose facts stay consistent: who, what, where, and how it ends.

    python -m clearhead.pretrained.stories 5 [SEED]     prints five stories

The words lie in `story_words.toml`, the plots in `story_plots.toml`. A story is a cast and a plot.
A slot of the plot keeps what it was filled with: a red kite stays a red kite, and Mia stays Mia.
"""

import functools
import re
import sys

import numpy as np

from .story_cast import Cast, plots, words

CHOICE = re.compile(r"\[([^\[\]]*)\]")
HOLE = re.compile(r"\{(\w+)\}|<(\w+)>")
#: The shares of stories with words that our lists lack, with an opening, and with a remark on the way.
UNUSUAL, OPENED, REMARKS = 0.25, 0.65, 0.35
REMARK = ("<weather>.", "<weather>.", "<walk>.")
#: Whose words stand in for an unusual one.
LIKE = {"toy": "noun", "thing": "noun", "lost": "noun", "look": "look", "trait": "trait", "animal": "kind"}
PREPOSITION = re.compile(r"^\w+( to)?(?= )")


def story(rng):
    """Return one story, of three to nine sentences.

    Parameters
    ----------
    rng : numpy.random.Generator
        Decides everything.
    """
    return Story(rng).tell()


class Story:
    """A story on its way: its cast, and the word in each slot that was filled.

    Parameters
    ----------
    rng : numpy.random.Generator
    """

    def __init__(self, rng):
        self.rng, self.slots = rng, {}
        self.unusual = rng.random() < UNUSUAL
        self.cast = Cast(self)

    def tell(self):
        """Return the text: mostly an opening, then the beats of a plot."""
        chosen = self.pick([plot for kind in self.cast.plots for plot in plots()["plots"][kind]])
        lines = chosen.strip().split("\n")
        if self.rng.random() < OPENED:
            lines.insert(0, self.pick(plots()["openings"][self.cast.manner]))
            if self.rng.random() < REMARKS:
                lines.insert(1, self.pick(REMARK))
        text = " ".join(self.fill(line.strip()) for line in lines)
        return tidy(self.cast.as_we(text))

    def pick(self, options):
        """Return one of the options, each equally likely."""
        return options[int(self.rng.integers(len(options)))]

    def fill(self, line):
        """Return a beat with every choice made and every slot filled, from left to right."""
        line = self.swapped(self.chosen(line))
        while hole := HOLE.search(line):
            slot, rule = hole.groups()
            before, after = line[: hole.start()], line[hole.end() :]
            line = before + (self.rule(rule) if rule else self.word(slot, before)) + after
        return line

    def rule(self, name):
        """Return one of the ways to say something; a story names its day once."""
        if name == "time":
            name = "later" if "<time>" in self.slots or "sky" in self.slots else name
            self.slots["<time>"] = ""
        return self.chosen(self.pick(plots()["rules"][name]))

    def chosen(self, line):
        """Return a line in which one of the alternatives in each bracket is left."""
        while CHOICE.search(line):
            line = CHOICE.sub(lambda found: self.pick(found[1].split("|")), line)
        return line

    def word(self, slot, before):
        """Return what a slot says: someone of the cast, a place, or a word of a list."""
        person = self.cast.word(slot, before)
        if person is not None:
            return person
        if slot == "skies":
            return self.pick(words()["skies"][self.kept("sky")])
        name, number = re.fullmatch(r"(\D+)(\d*)", slot).groups()
        if name in ("at", "to", "place"):
            where = self.kept("place" + number)
            return {"at": where, "to": PREPOSITION.sub("to", where), "place": PREPOSITION.sub("", where)[1:]}[
                name
            ]
        return self.kept(slot)

    def kept(self, slot):
        """Return the word of a slot: drawn once, and no word twice in a story."""
        if slot not in self.slots:
            name = slot.rstrip("0123456789")
            rare = self.unusual and self.rng.random() < 0.6
            some = words()["unusual"] if rare and (name in LIKE or name == "place") else words()["words"]
            options = some[LIKE.get(name, name)] if some is words()["unusual"] else some[name]
            free = [word for word in options if word not in self.slots.values()]
            self.slots[slot] = self.finer(name, self.pick(free))
        return self.slots[slot]


    def finer(self, name, word):
        """Return a word of a list with, now and then, one more adjective."""
        more = words()["words"]
        if name == "look" and word in more["colour"] and self.rng.random() < 0.5:
            return f"{self.pick(more['big_small'])} {word}"
        if name == "place" and word.count(" ") == 2 and self.rng.random() < 0.35:
            return word.replace(" the ", f" the {self.pick(more['kind_of_place'])} ")
        return word

    def swapped(self, line):
        """Return a beat in which some words gave way to others that mean the same."""
        return swap().sub(lambda found: self.pick(plots()["swaps"][found[0]]), line)


@functools.cache
def swap():
    """Return a pattern of all words that have others in their place, longest first."""
    some = sorted(plots()["swaps"], key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, some))})(?!\w)")


def tidy(text):
    """Return a text with capitals at the start of sentences and *an* before vowels."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(^|[.!?] ), ", r"\1", text).replace("..", ".").replace(" .", ".")
    text = re.sub(r"\b([Aa]) (?=[aeiou])(?!uni|use|eu|one\b)", r"\1n ", text)
    text = re.sub(r"(^|[.!?] |\.\" |[ ^]\")([a-z])", lambda found: found[1] + found[2].upper(), text)
    return re.sub(r'^"([a-z])', lambda found: '"' + found[1].upper(), text)


if __name__ == "__main__":
    source = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print("\n\n".join(story(source) for _ in range(int(sys.argv[1]))))
