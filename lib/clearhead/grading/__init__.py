"""What stands around the checks: sheets made from solutions, the proof of the checks, the report."""
