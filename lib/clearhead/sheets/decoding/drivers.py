"""Run beside the student's answer: no right answer stands here, or may be imported."""


def run_generate(answer, next_token, ids, length, stop, context_length):
    """Return the text, and what `choose` was shown; next_token (V) holds what follows each sum mod V."""
    seen = []

    def choose(context):
        context = [int(token) for token in context]
        seen.append(context)
        return int(next_token[(sum(context) + len(context)) % len(next_token)])

    text = answer(choose, ids, length, stop, context_length)
    return None if text is None else {"text": text, "shown to choose": [" ".join(map(str, c)) for c in seen]}


def run_beams(answer, table, ids, length, width):
    """Return what the answer finds; table (V, V, V) holds the logits after the last two tokens."""

    def step(ids):
        return table[int(ids[-2]) if len(ids) > 1 else 0, int(ids[-1])].copy()

    return answer(step, list(ids), length, width)
