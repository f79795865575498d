# The class grader in a container. Build it from the root of the repository:
#   docker build -f book/classes/grader.Dockerfile -t clearhead-grader .
# Run it (the page "For instructors" says why it needs --privileged, and a machine with nothing else on it):
#   docker run --rm --privileged --network none -v "$PWD:/class" clearhead-grader /class/submissions --out /class/grades
FROM python:3.12-slim-bookworm
# The versions stay open, because Debian replaces them with each security update, and a pinned one is then gone.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap libseccomp2 \
 && rm -rf /var/lib/apt/lists/*
COPY constraints.txt /opt/clearhead/
COPY lib/pyproject.toml lib/README.md lib/LICENSE /opt/clearhead/lib/
COPY lib/clearhead /opt/clearhead/lib/clearhead
# Sheets with PyTorch need it; its index for CPUs saves gigabytes: --build-arg INDEX=ADDRESS.
ARG INDEX=""
RUN pip install --no-cache-dir ${INDEX:+--extra-index-url "$INDEX"} "/opt/clearhead/lib[grading,torch]" -c /opt/clearhead/constraints.txt
WORKDIR /class
ENTRYPOINT ["clearhead", "grade"]
