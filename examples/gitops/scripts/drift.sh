#!/bin/sh
# Compares the service with what was released to a stack. Fails if they differ, or if a revision failed that a push or
# another client created. Writes the words to a Markdown file too.
# usage: scripts/drift.sh STACK FILE
set -eu
record=$(scripts/records.sh "$1" | tail -n 1)
if [ -z "$record" ]; then
  echo "no release to $1 is recorded: nothing to compare" | tee "$2"
  exit 0
fi
status=0
words=$(scripts/at.sh "${record%% *}" pulumi preview --stack "$1" --config "release=${record#* }" \
  --refresh --expect-no-changes --diff --non-interactive 2>&1) || status=$?
case $status in
0) result="is as ${record%% *} declares it" ;;
7) result="differs from ${record%% *}" ;; # Pulumi's exit code for "changes were proposed"
*) result="could not be compared with ${record%% *} (exit code $status)" ;;
esac
# A failed revision of the same values is no change, so Pulumi's exit code is 0.
if [ "$status" -eq 0 ] && echo "$words" | grep -q 'a push or another client created it'; then
  status=1
  result="has a failed revision"
fi
printf 'Drift of %s\n\nThe stack %s.\n\n~~~~\n%s\n~~~~\n' "$1" "$result" "$words" | tee "$2"
exit "$status"
