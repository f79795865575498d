"""The sandbox in which a student's code runs, with the modules that its sheet may import and no answers."""
