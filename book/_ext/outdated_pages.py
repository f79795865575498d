"""Pages of chapters that were executed again, and must be read again although the notebook is unchanged."""

import json
from pathlib import Path


def chapters_executed_again(app, env, added, changed, removed):
    """Return the chapters whose key in the execution cache has changed since the last build."""
    ledger = Path(app.srcdir) / ".cache" / "executed" / "keys.json"
    keys = json.loads(ledger.read_text()) if ledger.exists() else {}
    before, env.clearhead_executed = getattr(env, "clearhead_executed", {}), keys
    stems = {Path(name).stem for name, key in keys.items() if before.get(name) != key}
    pages = (doc for doc in env.found_docs if not doc.startswith("exercises/"))
    return sorted(doc for doc in pages if Path(doc).name in stems)
