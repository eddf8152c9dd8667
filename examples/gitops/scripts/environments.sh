#!/usr/bin/env bash
# Prints what the workflows ask of environments.json on the default branch, in the form of GITHUB_OUTPUT: the environments whose
# release is pinned, those that follow, all with those that have passed something and are no longer listed, and those of which
# COMMIT has another line.
# usage: scripts/environments.sh [COMMIT]
set -euo pipefail
. "${0%/*}/lib.sh"
title="Environments"
fetch
SERVED=$(git for-each-ref --format='%(refname:lstrip=4)' refs/origin/tags/passed/ | sed -n 's|^\([a-z][a-z0-9-]*\)/.*|\1|p' | sort -u)
OTHER=$(git show "${1:-$main}:environments.json")
export SERVED OTHER
list "" '
  const names = (all) => JSON.stringify(all.map(({ name }) => name));
  const isPinned = ({ release }) => /^[0-9a-f]{40}$|@/.test(release);
  const other = JSON.parse(process.env.OTHER).environments;
  const lineOf = (wanted) => other.find(({ name }) => name === wanted)?.release;
  const all = new Set([...environments.map(({ name }) => name), ...process.env.SERVED.split("\n").filter(Boolean)]);
  [
    `pinned=${names(environments.filter(isPinned))}`,
    `following=${names(environments.filter((entry) => entry.release && !isPinned(entry)))}`,
    `all=${JSON.stringify([...all])}`,
    `changed=${names(environments.filter(({ name, release }) => lineOf(name) && lineOf(name) !== release))}`,
  ].join("\n")' | tee -a "${GITHUB_OUTPUT:-/dev/null}"
