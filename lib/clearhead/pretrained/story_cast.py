"""Who is in a story: a hero and a friend, with names, pronouns and what they are called as it goes on."""

import functools
import re
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
PRONOUNS = {
    "he": ("he", "him", "his", "himself"),
    "she": ("she", "her", "her", "herself"),
    "it": ("it", "it", "its", "itself"),
    "i": ("I", "me", "my", "myself"),
}
FORMS = ("he", "him", "his", "himself")
#: What a hero may be, how often, and which plots it can live through.
HEROES = {
    "child": (0.34, ("any", "any", "person", "child")),
    "adult": (0.18, ("any", "person", "adult")),
    "animal": (0.22, ("any", "any", "animal")),
    "being": (0.1, ("any", "being", "being")),
    "machine": (0.04, ("being",)),
    "i": (0.12, ("any", "person", "i_only")),
}
#: Who the friend may be, by what the hero is: shares of family, child, adult and helping animal.
FRIENDS = {
    "child": (0.4, 0.3, 0.15, 0.15), "adult": (0.25, 0.25, 0.35, 0.15), "animal": (0.15, 0.15, 0.1, 0.6),
    "being": (0, 0.5, 0.15, 0.35), "machine": (0, 0.5, 0.25, 0.25), "i": (0.5, 0.25, 0.15, 0.1),
}  # fmt: skip
ELDERS = ("mother", "grandmother", "aunt", "father", "grandfather", "uncle", "teacher", "daughter", "son")
PLURALS = {"they": "we", "their": "our", "them": "us", "They": "We", "Their": "Our"}
INVENTED = 0.15


@functools.cache
def words():
    """Return the lists of words: {section: {name: list of str}}."""
    read = tomllib.loads((FOLDER / "story_words.toml").read_text("utf-8"))
    return {
        part: {name: re.split(r",\s+", text.strip()) for name, text in lists.items()}
        for part, lists in read.items()
    }


@functools.cache
def plots():
    """Return the rules, the openings and the plots: {section: {name: list of str}}."""
    return tomllib.loads((FOLDER / "story_plots.toml").read_text("utf-8"))


class Someone:
    """One of the cast: what it is called at first (`first`), and later (`later`)."""

    def __init__(self, sex, first, later, call):
        self.sex, self.first, self.later, self.call, self.seen = sex, first, later, call, False

    def named(self):
        """Return what to call it now: the long form the first time."""
        seen, self.seen = self.seen, True
        return self.later if seen else self.first

    def pronoun(self, form):
        """Return such as "her" for the form "him"."""
        return PRONOUNS[self.sex][FORMS.index(form)]


class Cast:
    """The hero and the friend of a story, who never share a pronoun.

    Parameters
    ----------
    story : clearhead.pretrained.stories.Story
        It draws, and knows whether this story has unusual words.
    """

    def __init__(self, story):
        self.story, self.pick, self.rng = story, story.pick, story.rng
        self.what = self._one_of({what: share for what, (share, _) in HEROES.items()})
        self.plots = HEROES[self.what][1]
        self.hero = self._hero()
        sex = {"he": "she", "she": "he"}.get(self.hero.sex) or self.pick(("he", "she"))
        self.friend = self._friend(sex)
        self.pet = self._name(self.pick(("he", "she")))

    def word(self, slot, before):
        """Return what a slot about someone says after the words before it; None for another slot."""
        hero, friend = self.hero, self.friend
        if slot in FORMS:
            return hero.pronoun(slot)
        if slot[0] == "f" and slot[1:] in FORMS:
            return friend.pronoun(slot[1:])
        if slot in ("n", "f"):
            who, often = (hero, 0.5) if slot == "n" else (friend, 0.25)
            begins = who.seen and re.search(r"(^|[.!?]\"? )$", before)
            return who.pronoun("he") if begins and self.rng.random() < often else who.named()
        told = {
            "hero": self._introduced, "desc": lambda: self.description,
            "said": lambda: self._says(hero, "saying"), "asked": lambda: self._says(hero, "asking"),
            "fsaid": lambda: self._says(friend, "saying"), "you": lambda: hero.call, "fyou": lambda: friend.call,
            "both": self._both, "me": lambda: hero.call, "petname": lambda: self.pet,
            "family": lambda: self.relative, "famhe": lambda: self.relative_sex,
            "kind": lambda: self.kind, "name": self._by_name, "pair": self._pair, "ns": self._owner,
        }  # fmt: skip
        return told[slot]() if slot in told else None

    def as_we(self, text):
        """Return the text with "we" for "they" where the hero is I."""
        if self.what != "i":
            return text
        text = re.sub(r"\b(they|their|them|They|Their)\b", lambda found: PLURALS[found[1]], text)
        return text.replace("Both of us", "We both")

    def _hero(self):
        self.relative_sex = self.pick(("he", "she"))
        self.relative = self.pick(words()["family"][self.relative_sex])
        self.manner = "i"
        if self.what == "i":
            name = self._name(self.pick(("he", "she")))
            hero = Someone("i", "I", "I", name)
            hero.seen = True
            return hero
        sex = "it" if self.what in ("being", "machine") and self.rng.random() < 0.6 else self.pick(("he", "she"))
        self.kind = kind = self._kind(self.what, sex)
        trait = self.story.kept("trait")
        noun = kind if " " in kind or self.rng.random() < 0.25 else f"{trait} {kind}"
        always = {"child": 0.85, "adult": 0.3, "animal": 0.4, "being": 0.4, "machine": 0.2}[self.what]
        self.description = f"a {noun}"
        name = self._name("he" if sex == "it" else sex)
        if sex != "it" and self.rng.random() < always:
            self.manner = "named"
            self.long = f"a {noun} {self.pick(('named', 'named', 'called'))} {name}"
            first = name if self.what == "child" and self.rng.random() < 0.8 else self.pick((name, self.long))
            return Someone(sex, first, name, name)
        self.manner = "unnamed"
        self.long = f"a {noun}"
        later = self.pick((f"the {kind}", f"the {kind}", f"the {noun}"))
        call = self.pick((f"little {kind.split()[-1]}", "my friend", "dear friend"))
        mine = self.what == "animal" and kind in words()["kinds"]["pet"] and self.rng.random() < 0.4
        first = self.pick((f"my {kind}", f"our {kind}")) if mine else self.pick((f"a {noun}", later))
        return Someone(sex, first, first if mine else later, call)

    def _introduced(self):
        """Return the long form of the hero, such as "a shy girl named Mia"."""
        self.hero.seen = True
        return self.long

    def _by_name(self):
        self.hero.seen = True
        return self.hero.later

    def _pair(self):
        """Return both by name."""
        names = self.hero.named(), self.friend.named()
        return f"{names[1]} and I" if self.hero.sex == "i" else " and ".join(names)

    def _owner(self):
        return "my" if self.hero.sex == "i" else f"{self.hero.named()}'s"

    def _friend(self, sex):
        kind = ("family", "child", "adult", "helper")[self.rng.choice(4, p=FRIENDS[self.what])]
        name, his = self._name(sex), self.hero.pronoun("his")
        if kind == "family":
            relative = self.pick(words()["family"]["animal_" * (self.what == "animal") + sex])
            if relative in ELDERS:
                return Someone(sex, f"{his} {relative}", f"{his} {relative}", f"dear {relative}")
            return Someone(sex, f"{his} {relative} {name}", name, name)
        noun = self._kind(kind, sex)
        trait = self.pick(words()["words"]["trait"])
        long = noun if " " in noun or self.rng.random() < 0.4 else f"{trait} {noun}"
        if kind == "child" or (kind == "helper" and self.rng.random() < 0.4):
            named = f"a {long} named {name}"
            return Someone(sex, self.pick((named, named, f"{his} friend {name}")), name, name)
        return Someone(sex, f"a {long}", self.pick((f"the {noun}", f"the {noun}", f"the {long}")), self.pick(("my friend", f"dear {noun.split()[-1]}")))

    def _kind(self, what, sex):
        kinds = words()["kinds"]
        if what in ("animal", "helper") and self.story.unusual and self.rng.random() < 0.6:
            return self.pick(words()["unusual"]["kind"])
        mine = getattr(self, "kind", "")
        return self.pick([kind for kind in kinds.get(what) or kinds[f"{what}_{sex}"] if kind != mine])

    def _name(self, sex):
        if self.rng.random() < INVENTED:
            return self.pick(words()["names"][f"{sex}_start"]) + self.pick(words()["names"][f"{sex}_end"])
        return self.pick(words()["names"][sex])

    def _says(self, who, verb):
        verb = self.pick(words()["words"][verb])
        if who.sex == "i":
            return f"I {verb}"
        if not who.seen:
            return f"{verb} {who.named()}" if verb != "wanted to know" else f"asked {who.named()}"
        if verb == "wanted to know":
            return f"{self.pick((who.later, who.pronoun('he')))} {verb}"
        if self.rng.random() < 0.2:
            return f"{verb} {who.later} {self.pick(words()['words']['adverb'])}"
        return self.pick((f"{verb} {who.later}", f"{verb} {who.later}", f"{who.later} {verb}", f"{who.pronoun('he')} {verb}"))

    def _both(self):
        hero, friend = self.hero, self.friend
        if hero.sex == "i":
            return self.pick((f"{friend.named()} and I", "we")) if friend.seen else f"{friend.named()} and I"
        if not (hero.seen and friend.seen):
            return f"{hero.named()} and {friend.named()}"
        return self.pick((f"{hero.later} and {friend.later}", f"{hero.later} and {friend.later}", "the two of them", "they"))

    def _one_of(self, shares):
        names = list(shares)
        return names[self.rng.choice(len(names), p=[shares[name] for name in names])]
