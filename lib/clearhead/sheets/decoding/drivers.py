"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""


def run_generate(answer, what_choose_says, ids, length, stop, context_length):
    """Return the text and the contexts that `choose` received; it picks tokens by their sum."""
    seen = []

    def choose(context):
        context = [int(token) for token in context]
        seen.append(context)
        return int(what_choose_says[(sum(context) + len(context)) % len(what_choose_says)])

    text = answer(choose, ids, length, stop, context_length)
    return None if text is None else {"text": text, "shown to choose": [" ".join(map(str, c)) for c in seen]}


def run_beams(answer, what_step_gives, ids, length, width):
    """Return the answer's result; `what_step_gives` (V, V, V) holds the logits after the last two tokens."""

    def step(ids):
        return what_step_gives[int(ids[-2]) if len(ids) > 1 else 0, int(ids[-1])].copy()

    return answer(step, list(ids), length, width)
