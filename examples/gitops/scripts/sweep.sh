#!/usr/bin/env bash
# Destroys the environments of pull requests that are not open.
# usage: scripts/sweep.sh COMMAND [ARGUMENT…]; the command prints the numbers of all open pull requests, one per line
set -euo pipefail
# The environments first: a pull request that is opened meanwhile has none among them.
stacks=$(pulumi stack ls --json | node -p 'JSON.parse(fs.readFileSync(0)).map(({ name }) => name.split("/").at(-1)).join("\n")')
open=$("$@")
status=0
for stack in $(echo "$stacks" | grep '^pr-[0-9]*$' || true); do
  if echo "$open" | grep -qx "${stack#pr-}"; then
    echo "keeping $stack: its pull request is open"
  elif scripts/destroy-environment.sh "$stack"; then
    echo "destroyed $stack: its pull request is not open"
  else
    echo "could not destroy $stack" >&2
    status=1
  fi
done
exit "$status"
