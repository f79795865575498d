"""The drawn machine: one description of its parts, a wide and a narrow layout, and five close-ups."""
