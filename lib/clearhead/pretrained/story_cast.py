"""The cast of a story: a hero and a friend, with names, pronouns and the later references to them."""

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
    "they": ("they", "them", "their", "themselves"),
}
FORMS = ("he", "him", "his", "himself")
COMMON = ("mishap", "find", "toward", *("any",) * 5)
#: The kinds of heroes, each with its probability and the plots that suit it.
HEROES = {
    "child": (0.28, ("acts", "acts", *COMMON, "person", "child")),
    "adult": (0.2, ("acts", "acts", *COMMON, "person", "adult")),
    "animal": (0.18, ("acts", "beast", "beast", *COMMON, "animal")),
    "being": (0.12, ("acts", "acts", *COMMON, "being")),
    "machine": (0.02, ("being",)),
    "i": (0.12, ("acts", "acts", *COMMON, "person", "i_only")),
    "pair": (0.08, ("pairs",)),
}
#: By the kind of hero, the probabilities that the friend is family, a child, an adult or a helping animal.
FRIENDS = {
    "child": (0.4, 0.3, 0.15, 0.15), "adult": (0.25, 0.25, 0.35, 0.15), "animal": (0.15, 0.15, 0.1, 0.6),
    "being": (0, 0.5, 0.15, 0.35), "machine": (0, 0.5, 0.25, 0.25), "i": (0.5, 0.25, 0.15, 0.1),
    "pair": (0, 0.3, 0.4, 0.3),
}  # fmt: skip
ELDERS = ("mother", "grandmother", "aunt", "father", "grandfather", "uncle", "teacher")
PLURALS = {"they": "we", "their": "our", "them": "us", "They": "We", "Their": "Our"}
FIRST_NAMED = ("Aunt", "Uncle", "Queen", "King")
INVENTED, RARE, TITLES = 0.25, 0.25, 0.3
#: The probability that each kind of hero has a name.
NAMED = {"child": 0.85, "adult": 0.3, "animal": 0.4, "being": 0.4, "machine": 0.2}


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
    """Return rules, openings, acts, plots and swaps: {section: {name: list of str}}."""
    files = [FOLDER / "story_plots.toml", FOLDER / "story_acts.toml"]
    parts, acts = (tomllib.loads(file.read_text("utf-8")) for file in files)
    return parts | acts | {"plots": parts["plots"] | acts["plots"]}


class Someone:
    """A member of the cast, with the name at the first mention (`first`) and at later ones (`later`)."""

    def __init__(self, sex, first, later, call, seen=False):
        self.sex, self.first, self.later, self.call, self.seen = sex, first, later, call, seen

    def named(self):
        """Return the name for the next mention, which is the long form at the first one."""
        seen, self.seen = self.seen, True
        return self.later if seen else self.first

    def pronoun(self, form):
        """Return this person's pronoun in the case of a given one, such as "her" for "him"."""
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
        """Return the word for a slot about the cast, given the text before it, or None for other slots."""
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
            "hero": lambda: self._seen(self.long), "name": lambda: self._seen(hero.later),
            "pair": self._pair, "both": self._both,
            "said": lambda: self._says(hero, "saying"), "asked": lambda: self._says(hero, "asking"),
            "fsaid": lambda: self._says(friend, "saying"), "you": lambda: hero.call, "me": lambda: hero.call,
            "fyou": lambda: friend.call, "desc": lambda: self.description, "kind": lambda: self.kind,
            "petname": lambda: self.pet, "family": lambda: self.relative, "ns": self._owner,
            "famhe": lambda: self.relative_sex, "pairnoun": lambda: self.description,
        }  # fmt: skip
        return told[slot]() if slot in told else None

    def agreeing(self, text):
        """Return the text with the verb forms and pronouns that fit a pair, or a hero called I."""
        if self.what == "pair":
            two = f"{self.hero.first}|{self.hero.later}"
            return re.sub(rf"\b([Tt]hey|{two}) was(n't)?\b", r"\1 were\2", text)
        if self.what != "i":
            return text
        text = re.sub(r"\b(they|their|them|They|Their)\b", lambda found: PLURALS[found[1]], text)
        text = re.sub(r"\b(told|believed|gave|saw|asked|for|to|of) I\b", r"\1 me", text)
        text = re.sub(r"\bI and (my \w+)", r"\1 and I", text)
        return re.sub(r"\b(cried|wept|shouted|called) I\b", r"I \1", text)

    def _hero(self):
        self.relative_sex = self.pick(("he", "she"))
        self.relative = self.pick(words()["family"][self.relative_sex])
        if self.what == "i":
            self.manner, self.long = "i", "I"
            return Someone("i", "I", "I", self._name(self.pick(("he", "she"))), seen=True)
        if self.what == "pair":
            return self._two()
        maybe_it = self.what in ("being", "machine") and self.rng.random() < 0.6
        sex = "it" if maybe_it else self.pick(("he", "she"))
        self.kind = self._kind(self.what, sex)
        trait = self.story.kept("trait")
        noun = self.kind if " " in self.kind or self.rng.random() < 0.25 else f"{trait} {self.kind}"
        self.description = f"a {noun}"
        name = self._name("he" if sex == "it" else sex)
        if self.what == "adult" and self.rng.random() < TITLES:
            return self._hero_with_a_title(sex)
        if sex != "it" and self.rng.random() < NAMED[self.what]:
            return self._hero_with_a_name(sex, noun, name)
        return self._hero_without_a_name(sex, noun)

    def _two(self):
        """Return a pair of heroes that do everything together, such as two brothers or Tom and Mia."""
        self.manner, self.kind = "pair", self.story.kept("pairnoun")
        self.description = self.long = some = f"two {self.kind}".replace("two twins", "the twins")
        if self.kind in ("friends", "children", "cousins"):
            self.long = " and ".join(self._name(sex) for sex in self.pick((("he", "she"), ("she", "he"))))
            return Someone("they", self.long, self.long, self.long)
        the = (f"the {some}", f"the {some}", f"the {self.kind}")
        later = some if self.kind == "twins" else self.pick(the)
        return Someone("they", self.pick((some, later)), later, "my friends")

    def _hero_with_a_name(self, sex, noun, name):
        self.manner = "named"
        self.long = f"a {noun} {self.pick(('named', 'named', 'called'))} {name}"
        first = name if self.what == "child" and self.rng.random() < 0.8 else self.pick((name, self.long))
        return Someone(sex, first, name, name)

    def _hero_with_a_title(self, sex):
        """Return a person with a title and a name, like Mrs. Hill; a grandparent has only the title."""
        self.manner, names = "named", words()["names"]
        title, surname = self.pick(names[f"title_{sex}"]), self.pick(names["surname"])
        alone = title.startswith("Grand")
        name = title if alone else f"{title} {self._name(sex) if title in FIRST_NAMED else surname}"
        self.long = f"a {self.kind} called {name}"
        return Someone(sex, name, name, name)

    def _hero_without_a_name(self, sex, noun):
        self.manner, self.long, kind = "unnamed", f"a {noun}", self.kind
        later = self.pick((f"the {kind}", f"the {kind}", f"the {noun}"))
        call = self.pick((f"little {kind.split()[-1]}", "my friend", "dear friend"))
        if self.what == "animal" and kind in words()["kinds"]["pet"] and self.rng.random() < 0.4:
            mine = self.pick((f"my {kind}", f"our {kind}"))
            return Someone(sex, mine, mine, call)
        return Someone(sex, self.pick((f"a {noun}", later)), later, call)

    def _seen(self, what):
        self.hero.seen = True
        return what

    def _pair(self):
        names = self.hero.named(), self.friend.named()
        return f"{names[1]} and I" if self.hero.sex == "i" else " and ".join(names)

    def _owner(self):
        name = self._seen(self.hero.later) if self.manner == "named" else self.hero.named()
        return "my" if self.hero.sex == "i" else f"{name}'s"

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
        later = self.pick((f"the {noun}", f"the {noun}", f"the {long}"))
        return Someone(sex, f"a {long}", later, self.pick(("my friend", f"dear {noun.split()[-1]}")))

    def _kind(self, what, sex):
        kinds = words()["kinds"]
        if what in ("animal", "helper") and self.story.unusual and self.rng.random() < 0.6:
            return self.pick(words()["unusual"]["kind"])
        mine = getattr(self, "kind", "")
        return self.pick([kind for kind in kinds.get(what) or kinds[f"{what}_{sex}"] if kind != mine])

    def _name(self, sex):
        names, dice = words()["names"], self.rng.random()
        if dice < INVENTED:
            return self.pick(names[f"{sex}_start"]) + self.pick(names[f"{sex}_end"])
        return self.pick(names[f"rare_{sex}" if dice > 1 - RARE else sex])

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
        after = f"{verb} {who.later}"
        return self.pick((after, after, f"{who.later} {verb}", f"{who.pronoun('he')} {verb}"))

    def _both(self):
        hero, friend = self.hero, self.friend
        if hero.sex == "i":
            return self.pick((f"{friend.named()} and I", "we")) if friend.seen else f"{friend.named()} and I"
        if not (hero.seen and friend.seen):
            return f"{hero.named()} and {friend.named()}"
        names = f"{hero.later} and {friend.later}"
        return self.pick((names, names, "the two of them", "they"))

    def _one_of(self, shares):
        names = list(shares)
        return names[self.rng.choice(len(names), p=[shares[name] for name in names])]
