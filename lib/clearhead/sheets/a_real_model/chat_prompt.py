"""17.chat_prompt: A conversation is one text."""

from clearhead.checks.exercise import Case, Exercise, Mistake

from .chat_prompt_wrong import MORE, SYSTEM


def chat_prompt(messages):
    """Return the one text that the model sees of messages (who, what)."""
    turns = [f"<|im_start|>{who}\n{what}<|im_end|>\n" for who, what in messages]
    return "".join(turns) + "<|im_start|>assistant\n"


def _cases(rng):
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


OPEN = "<|im_start|>assistant\n"


def _with(turn, end=OPEN, chosen=lambda messages: messages):
    return lambda messages: "".join(turn.format(who, what) for who, what in chosen(messages)) + end


TURN = "<|im_start|>{}\n{}<|im_end|>\n"
EXERCISE = Exercise(
    id="17.chat_prompt",
    title="A conversation is one text",
    reference=chat_prompt,
    cases=_cases,
    hints=(
        "Write one turn as an f-string. Where does a line end, and where must none be?",
        "f'<|im_start|>{who}\\n{what}<|im_end|>\\n' for each message. Then the assistant's turn, left open.",
        "''.join(turns) + '<|im_start|>assistant\\n'",
    ),
    mistakes=(
        Mistake(
            "no_turn_for_the_assistant",
            _with(TURN, ""),
            "Your text ends after the last message. Begin the assistant's turn, or the model may go on "
            "as the user.",
        ),
        Mistake(
            "assistant_closed",
            _with(TURN, OPEN + "<|im_end|>\n"),
            "You closed the assistant's turn. Leave it open: the model writes there, and closes it itself.",
        ),
        Mistake(
            "no_line_end_between_turns",
            _with("<|im_start|>{}\n{}<|im_end|>"),
            "A line end is missing after <|im_end|>. In training there was one.",
        ),
        Mistake(
            "who_and_what_on_one_line",
            _with("<|im_start|>{} {}<|im_end|>\n"),
            "After the name of who speaks comes a line end, not a space.",
        ),
        Mistake(
            "only_the_last_message",
            _with(TURN, chosen=lambda messages: messages[-1:]),
            "You kept the last message alone. The model remembers nothing: all that was said must be in "
            "the text.",
        ),
        Mistake(
            "system_message_of_the_chapter",
            _with(TURN, chosen=lambda messages: [("system", SYSTEM), *messages]),
            "You put the chapter's system message first. Write the messages that are given, and no more.",
        ),
        Mistake(
            "spaces_cut_off",
            _with(TURN, chosen=lambda messages: [(who, " ".join(what.split())) for who, what in messages]),
            "You tidied what was said. Spaces and line ends belong to it.",
        ),
        Mistake(
            "space_after_the_start_sign",
            _with("<|im_start|> {}\n{}<|im_end|>\n"),
            "A space stands after <|im_start|>. Who speaks follows at once.",
        ),
        Mistake(
            "lines_joined",
            _with(TURN, chosen=lambda messages: [(who, what.replace("\n", " ")) for who, what in messages]),
            "You made spaces of the line ends in what was said. They belong to it.",
        ),
        Mistake(
            "signs_without_the_second_bar",
            _with("<|im_start>{}\n{}<|im_end>\n", "<|im_start>assistant\n"),
            "Your signs lack a bar. They are <|im_start|> and <|im_end|>, with a bar on both sides.",
        ),
        Mistake(
            "another_end_sign",
            _with("<|im_start|>{}\n{}<|endoftext|>\n"),
            "You ended the turns with <|endoftext|>. They end with <|im_end|>.",
        ),
        Mistake(
            "names_capitalised",
            _with(
                TURN,
                "<|im_start|>Assistant\n",
                lambda messages: [(m[0].capitalize(), m[1]) for m in messages],
            ),
            "You wrote names with a capital letter. Write them as they are given, and assistant in small "
            "letters.",
        ),
        Mistake(
            "indented",
            _with("<|im_start|>{}\n    {}<|im_end|>\n    "),
            "Spaces stand before your lines, as a text in triple quotes keeps them. Write \\n inside of one "
            "line.",
        ),
        Mistake(
            "assistant_turns_never_end",
            lambda messages: (
                "".join(
                    TURN.format(*m).replace("<|im_end|>", "" if m[0] == "assistant" else "<|im_end|>")
                    for m in messages
                )
                + OPEN
            ),
            "You left the assistant's old turns without <|im_end|>. Only the new one stays open.",
        ),
        Mistake(
            "windows_line_ends",
            lambda messages: chat_prompt(messages).replace("\n", "\r\n"),
            "Your line ends are two signs, \\r\\n. Here it is \\n alone.",
        ),
        Mistake(
            "another_name_for_the_assistant",
            _with(TURN, "<|im_start|>model\n"),
            "The turn that you open is not called assistant. The model knows it by that name.",
        ),
        Mistake(
            "empty_line_after_who",
            _with("<|im_start|>{}\n\n{}<|im_end|>\n"),
            "An empty line stands after who speaks. One line end is enough.",
        ),
        Mistake(
            "sign_of_the_text_added",
            lambda messages: "<|endoftext|>" + chat_prompt(messages),
            "You put <|endoftext|> first. The text begins with <|im_start|>.",
        ),
        Mistake(
            "start_sign_alone_at_the_end",
            _with(TURN, "<|im_start|>"),
            "Your last turn has no name. It is the assistant's: <|im_start|>assistant and a line end.",
        ),
        Mistake(
            "encoded",
            lambda messages: chat_prompt(messages).encode(),
            "You encoded the text. Return it as a text.",
        ),
        Mistake(
            "only_the_users_turns",
            _with(TURN, chosen=lambda messages: [m for m in messages if m[0] == "user"]),
            "You kept the turns of the user alone. Write all of them.",
        ),
        Mistake(
            "no_line_end_after_who",
            _with("<|im_start|>{}{}<|im_end|>\n"),
            "A line end is missing after who speaks.",
        ),
        Mistake(
            "pairs_as_text",
            lambda messages: "".join(f"<|im_start|>{each}<|im_end|>\n" for each in messages) + OPEN,
            "You wrote each pair as Python shows it. Take who and what out of it, with a line end between.",
        ),
        Mistake(
            "opened_before_the_last",
            lambda messages: (
                "".join(TURN.format(*m) for m in messages[:-1])
                + OPEN
                + "".join(TURN.format(*m) for m in messages[-1:])
            ),
            "You opened the assistant's turn before the last message. It comes after all of them.",
        ),
        *MORE,
    ),
    alternatives=(_with(TURN),),
    stars=1,
    minutes=10,
)
