#!/bin/sh
# Compares the service with what was released to an environment. Fails if they differ, or if a revision failed that a push
# or another client created. Writes report.md.
# usage: scripts/drift.sh ENVIRONMENT
set -eu
. "${0%/*}/lib.sh"
use "$1"
fetch
record=$(newest "$1")
if [ -z "$record" ]; then
  echo "no release to $1 is recorded: nothing to compare"
  exit 0
fi
verify "$record"
make_tree
preview
case $status in
0) result="is as $record declares it." ;;
7) result="differs from $record. Another release of it changes this:" ;;
*) result="could not be compared with $record (exit code $status):" ;;
esac
# A failed revision of the same values is no change, so Pulumi's exit code is 0.
if [ "$status" -eq 0 ] && printf '%s\n' "$words" | grep -q 'a push or another client created it'; then
  status=1
  result="has a failed revision:"
fi
report "Drift of $1" "The stack $result"
exit "$status"
