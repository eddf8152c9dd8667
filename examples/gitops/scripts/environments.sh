#!/bin/sh
# Prints what the workflows ask of environments.json, in the form of GITHUB_OUTPUT: the first environment, those that follow
# it by themselves, and all.
# usage: scripts/environments.sh
set -eu
. "${0%/*}/lib.sh"
environments "" '
  const names = all.map(({ name }) => name);
  const byHand = all.findIndex(({ promotion }, at) => at > 0 && promotion === "by hand");
  const automatic = names.slice(1, byHand === -1 ? undefined : byHand);
  `first=${names[0]}\nautomatic=${JSON.stringify(automatic)}\nall=${JSON.stringify(names)}`' | tee -a "${GITHUB_OUTPUT:-/dev/null}"
