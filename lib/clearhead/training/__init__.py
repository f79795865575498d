"""Layer 3: loops, schedules and evaluation; any module that returns logits will do."""
