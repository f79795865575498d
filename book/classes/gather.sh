#!/bin/bash
# Bring the marks of all shards together, and write the tables: SHEET=05 bash book/classes/gather.sh SUBMISSIONS OUT
set -euo pipefail
submissions=$1 out=$2
mkdir -p "$out/marks"
cp "$out"/shard-*/marks/*.json "$out/marks/"
clearhead grade "$submissions" --sheet "${SHEET:?say which, such as SHEET=05}" --out "$out" --resume
