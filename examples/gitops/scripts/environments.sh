#!/usr/bin/env bash
# Prints names of environments for the workflows, in the form of GITHUB_OUTPUT: those whose release is pinned, those that follow, all
# with those that passed something once and are no longer listed, and those of which COMMIT has another line.
# usage: scripts/environments.sh [COMMIT]
set -euo pipefail
. "${0%/*}/lib.sh"
once=$(git for-each-ref --format='%(refname:lstrip=4)' refs/origin/tags/passed/ | sed -n 's|^\([a-z][a-z0-9-]*\)/.*|\1|p' | sort -u)
other=$(git show "${1:-$main}:environments.json")
ONCE=$once OTHER=$other list "" '
  const { ONCE, OTHER } = process.env;
  const names = (all) => JSON.stringify(all.map(({ name }) => name));
  const isPinned = ({ release }) => /^[0-9a-f]{40}$|@/.test(release);
  const others = new Map(JSON.parse(OTHER).environments.map(({ name, release }) => [name, release]));
  const all = new Set([...environments.map(({ name }) => name), ...ONCE.split("\n").filter(Boolean)]);
  [
    `pinned=${names(environments.filter(isPinned))}`,
    `following=${names(environments.filter((entry) => entry.release && !isPinned(entry)))}`,
    `all=${JSON.stringify([...all])}`,
    `changed=${names(environments.filter(({ name, release }) => others.get(name) && others.get(name) !== release))}`,
  ].join("\n")' | tee -a "${GITHUB_OUTPUT:-/dev/null}"
