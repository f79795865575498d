"""Arrays in, pictures with words out. Nothing here computes attention."""
