"""Interactive figures: one JavaScript file each and a small Python class."""
