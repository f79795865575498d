"""What a class did not understand: a page for its instructor, and a folder for those who compare answers."""
