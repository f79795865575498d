"""Cases of 17.chat_prompt."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    words = ["".join(rng.choice([*"aeiourstln"], size=5)) for _ in range(5)]
    two = [("system", f"You like the {words[0]}."), ("user", f"What is a {words[1]}?")]
    more = [*two, ("assistant", f"A {words[2]}."), ("user", f"Why not a {words[3]}?")]
    return [
        Case(
            "one question, by hand",
            ([("user", "Hi")],),
            "A start sign, who, a line end, what, an end sign, a line end. Then the assistant's turn begins.",
            expected="<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
        ),
        Case("with a system message", (two,), "Each message is one turn, in the order in which it came."),
        Case("a second question", (more,), "What the assistant said is a turn like the others."),
        Case(
            "a message of two lines",
            ([("user", f"{words[4]}\n  and so on ")],),
            "Do not change what was said.",
        ),
        Case("nothing said yet", ([],), "Only the assistant's turn begins."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
