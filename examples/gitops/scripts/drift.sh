#!/bin/sh
# Compares the service with what was released to an environment. Fails if they differ, or if a revision failed that a push
# or another client created. Writes report.md.
# usage: scripts/drift.sh ENVIRONMENT
set -eu
. "${0%/*}/lib.sh"
fetch
record=$(newest "$1")
if [ -z "$record" ]; then
  echo "no release to $1 is recorded: nothing to compare"
  exit 0
fi
verify "$record"
make_tree
preview
sentence="Another release of $record $effect"
# A failed revision of the same values is no change, so Pulumi's exit code is 0.
if [ "$status" -eq 0 ] && printf '%s\n' "$words" | grep -q 'a push or another client created it'; then
  status=1 sentence="A revision failed that no release created:"
fi
report "Drift of $1" "$sentence"
exit "$status"
