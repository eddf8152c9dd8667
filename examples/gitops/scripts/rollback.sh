#!/bin/sh
# Sets a stack back to its last good release. If the last run failed, that is the newest record, else the one before it.
# usage: scripts/rollback.sh STACK
set -eu
stack=$1
records=$(scripts/records.sh "$stack")
# A run that failed or was killed is in the state, but not in the records.
succeeded=$(pulumi stack export --stack "$stack" | node -p '
  const { resources = [], pending_operations: pending = [] } = JSON.parse(fs.readFileSync(0)).deployment;
  pending.length === 0 && resources.every(({ initErrors = [], outputs }) => initErrors.length === 0 && outputs?.ready !== false)')
if [ "$succeeded" = true ]; then
  # After an earlier rollback the newest record repeats an older one: what was released before that is meant.
  current=$(echo "$records" | tail -n 1 | cut -d ' ' -f 2)
  records=$(echo "$records" | awk -v current="$current" '$2 == current { exit } { print }')
fi
record=$(echo "$records" | tail -n 1)
if [ -z "$record" ]; then
  echo "not rolled back: no earlier release of $stack is recorded" >&2
  exit 1
fi
echo "rolling $stack back to ${record%% *}: ${record#* }"
scripts/at.sh "${record%% *}" scripts/release.sh "$stack" "${record#* }"
