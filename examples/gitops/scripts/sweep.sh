#!/usr/bin/env bash
# Destroys the environments of pull requests that are not open.
# usage: scripts/sweep.sh COMMAND [ARGUMENT…]; the command prints the numbers of all open pull requests, one per line
set -euo pipefail
# The environments first: a pull request that is opened meanwhile has none among them.
stacks=$(pulumi stack ls --json | node -p 'JSON.parse(fs.readFileSync(0)).map(({ name }) => name.split("/").at(-1)).join("\n")')
open=$("$@")
status=0
for number in $(echo "$stacks" | sed -n 's/^pr-\([0-9]*\)$/\1/p' | grep -vxF -e "$open" || true); do
  scripts/destroy-environment.sh "pr-$number" || status=1
done
exit "$status"
