"""More wrong answers of 17.chat_prompt."""

from clearhead.checks.exercise import Mistake
from clearhead.pretrained.language_model import SYSTEM

TURN, OPEN = "<|im_start|>{}\n{}<|im_end|>\n", "<|im_start|>assistant\n"


def _prompt(turn=TURN, end=OPEN, chosen=lambda messages: messages):
    """Return chat_prompt with other turns, another end, or other messages."""
    return lambda messages: "".join(turn.format(who, what) for who, what in chosen(messages)) + end


def _without(name):
    return _prompt(chosen=lambda messages: [each for each in messages if each[0] != name])


def _with_a_system(messages):
    asked = messages[:1] and messages[0][0] == "system"
    return messages if asked else [("system", SYSTEM), *messages]


def _joined(messages):
    return "\n".join(TURN.format(who, what).removesuffix("\n") for who, what in messages) + OPEN


def _asks_at_once(messages):
    turns = (TURN.format(*each) + OPEN * (each[0] == "user") for each in messages)
    return "".join(turns) or OPEN


MORE = (
    Mistake(
        "opened_after_each_question",
        _asks_at_once,
        "You open the assistant's turn after every question. Open it once, at the end.",
    ),
    Mistake(
        "assistant_without_a_start_sign",
        _prompt(end="assistant\n"),
        "The assistant's turn begins with <|im_start|>, as every turn does.",
    ),
    Mistake(
        "user_turn_opened",
        _prompt(end="<|im_start|>user\n"),
        "You opened a turn of the user. The model is to answer: open the assistant's.",
    ),
    Mistake(
        "no_line_end_after_assistant",
        _prompt(end="<|im_start|>assistant"),
        "A line end is missing after the last `assistant`: what is said comes on the next line.",
    ),
    Mistake(
        "line_end_before_the_end_sign",
        _prompt("<|im_start|>{}\n{}\n<|im_end|>\n"),
        "You put a line end before <|im_end|>. The end sign follows what was said at once.",
    ),
    Mistake(
        "colon_after_who",
        _prompt("<|im_start|>{}: {}<|im_end|>\n"),
        "After who speaks comes a line end, and no colon.",
    ),
    Mistake(
        "no_end_sign",
        _prompt("<|im_start|>{}\n{}\n"),
        "Your turns have no <|im_end|>. Without it the model does not see where one ends.",
    ),
    Mistake(
        "start_sign_at_both_ends",
        _prompt("<|im_start|>{}\n{}<|im_start|>\n"),
        "Your turns end with the start sign. They end with <|im_end|>.",
    ),
    Mistake(
        "open_after_each_message",
        _prompt(TURN + OPEN, ""),
        "You opened the assistant's turn after each message. Open it once, after the last.",
    ),
    Mistake(
        "a_system_message_made_up",
        _prompt(chosen=_with_a_system),
        "Where no system message is given, you put the chapter's first. Write what is given, and no more.",
    ),
    Mistake(
        "system_message_dropped",
        _without("system"),
        "The system message is missing. It is a turn like the others.",
    ),
    Mistake(
        "answers_dropped",
        _without("assistant"),
        "What the assistant said is missing. The model remembers nothing: all that was said must be in the "
        "text.",
    ),
    Mistake(
        "who_and_what_exchanged",
        _prompt("<|im_start|>{1}\n{0}<|im_end|>\n"),
        "You exchanged who and what. Each message is a pair (who, what).",
    ),
    Mistake(
        "newest_first",
        _prompt(chosen=lambda messages: messages[::-1]),
        "Your turns stand from back to front. The oldest message comes first.",
    ),
    Mistake(
        "ends_trimmed",
        _prompt(chosen=lambda messages: [(who, what.strip()) for who, what in messages]),
        "You cut spaces off the ends of what was said. They belong to it.",
    ),
    Mistake(
        "turns_in_a_list",
        lambda messages: [TURN.format(*each) for each in messages] + [OPEN],
        "Your turns stand in a list. Return one text: ''.join(...).",
    ),
    Mistake(
        "space_before_what",
        _prompt("<|im_start|>{}\n {}<|im_end|>\n"),
        "A space stands before what was said. It begins at once on the new line.",
    ),
    Mistake(
        "empty_line_between_turns",
        _prompt(TURN + "\n"),
        "An empty line stands after each turn. One line end is enough.",
    ),
    Mistake(
        "no_line_end_after_a_turn",
        _prompt("<|im_start|>{}\n{}<|im_end|>", "\n" + OPEN),
        "Only the last turn ends with a line end. Each should.",
    ),
    Mistake(
        "who_left_out",
        _prompt("<|im_start|>{1}<|im_end|>\n"),
        "You left out who speaks. It stands on the line of the start sign.",
    ),
    Mistake(
        "always_the_user",
        _prompt(chosen=lambda messages: [("user", what) for _, what in messages]),
        "All your turns are the user's. Each message says who speaks.",
    ),
    Mistake(
        "first_message_alone",
        _prompt(chosen=lambda messages: messages[:1]),
        "You kept the first message alone. All that was said must be in the text.",
    ),
    Mistake(
        "nothing_for_no_messages",
        lambda messages: _prompt()(messages) if messages else "",
        "Where nothing was said you return nothing. The assistant's turn begins all the same.",
    ),
    Mistake(
        "assistant_turn_closed",
        _prompt(end=OPEN + "<|im_end|>"),
        "You closed the assistant's turn. It stays open: the model goes on writing there.",
    ),
    Mistake(
        "line_ends_between_turns_alone",
        _joined,
        "Your line ends stand between the turns alone, so one is missing after the last. Each turn ends "
        "with one.",
    ),
    Mistake(
        "names_and_colons",
        lambda messages: "".join(f"{who}: {what}\n" for who, what in messages) + "assistant:",
        "You wrote names and colons. This model knows turns by its signs: <|im_start|>, who, a line "
        "end, what, <|im_end|>, a line end.",
    ),
    Mistake(
        "line_end_after_the_start_sign",
        _prompt("<|im_start|>\n{}\n{}<|im_end|>\n"),
        "A line end stands between the start sign and who speaks. They stand side by side: <|im_start|>user.",
    ),
    Mistake(
        "backslash_and_n",
        _prompt("<|im_start|>{}\\n{}<|im_end|>\\n", "<|im_start|>assistant\\n"),
        "Your line ends are two signs, a backslash and an n. Write \\n in a plain string, not in a raw one, "
        "and with one backslash.",
    ),
    Mistake(
        "last_message_or_an_error",
        lambda messages: TURN.format(*messages[-1]) + OPEN,
        "You kept the last message alone. All that was said must be in the text.",
    ),
    Mistake(
        "a_system_message_in_any_case",
        _prompt(chosen=lambda messages: [("system", "You are a helpful assistant."), *messages]),
        "You put a system message of your own first. Write the messages that are given, and no more.",
    ),
    Mistake(
        "f_forgotten",
        _prompt("<|im_start|>{{who}}\n{{what}}<|im_end|>\n"),
        "Your turns hold {who} and {what} as they stand. Put an f before the quotes.",
    ),
    Mistake(
        "lines_between_turns",
        lambda messages: "\n".join(TURN.format(*each) for each in messages) + OPEN,
        "An empty line stands between turns. Each ends with a line end: join them with ''.",
    ),
)
