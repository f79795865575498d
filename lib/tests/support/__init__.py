"""What several files of tests share: nothing in here is a test."""
