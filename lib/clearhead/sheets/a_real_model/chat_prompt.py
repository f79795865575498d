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
            "A turn is the start token, the role, a newline, the content, the end token and a "
            "newline. After all turns, the assistant's turn begins.",
            expected="<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
        ),
        Case(
            "two messages, one of them from the system",
            (two,),
            "Each message is one turn, and the turns are in the order of the messages.",
        ),
        Case(
            "four messages, one of them from the assistant",
            (more,),
            "A message from the assistant is a turn like any other.",
        ),
        Case(
            "a message of two lines",
            ([("user", f"{words[4]}\n  and so on ")],),
            "The content of a message stays as it is, with its newline and all its spaces.",
        ),
        Case(
            "an empty list of messages",
            ([],),
            "There are no messages, so the result is only the beginning of a turn of the assistant.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
