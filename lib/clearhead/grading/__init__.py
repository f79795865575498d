"""The learner's report, the sheets and the class grader."""
