#!/usr/bin/env bash
# What the other scripts share: the line of an environment, the tree of a commit, and runs of Pulumi in it. They source it.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
rm -f report.md
# `npm test` has checked the types: each further run would take some seconds, and fail an old program for newer types.
export PULUMI_NODEJS_TRANSPILE_ONLY=true
main=refs/origin/HEAD

# refuse SENTENCE: ends the script with a report, of which the nightly run makes an issue.
refuse() {
  printf '%s\n\nrefused: %s\n' "$title" "$1" | tee report.md >&2
  exit 1
}

# Fetches the default branch of origin and its tags, as they are now. Branches and tags of this clone do not count.
fetch() {
  git fetch --quiet --force --prune --no-tags origin "+HEAD:$main" '+refs/tags/*:refs/origin/tags/*'
}

# list NAME EXPRESSION [COMMIT]: answers from environments.json of a commit, by default of the default branch. In the expression
# `entry` is the environment NAME, and `before` the name of the one before it.
list() {
  git show "${3:-$main}:environments.json" | node -p '
    const { regions, environments } = JSON.parse(fs.readFileSync(0, "utf8"));
    const place = environments.findIndex(({ name }) => name === process.argv[1]);
    const entry = environments[place], before = environments[place - 1]?.name ?? "";
    '"$2" "$1"
}

# configure NAME [COMMIT]: sets the control plane of an environment and `protect`, as a commit lists it.
configure() {
  protect=$(list "$1" 'entry ? Boolean(entry.protect) : ""' "${2:-$main}")
  [ -n "$protect" ] || refuse "environments.json on the default branch lists no environment $1"
  AGENTSERVER_BASE_URL=${AGENTSERVER_BASE_URL:-$(list "$1" 'regions[entry.region]' "${2:-$main}")}
  export AGENTSERVER_BASE_URL
}

# choose NAME [COMMIT]: sets what an environment is to run by its line on the default branch, or in COMMIT. See resolve.
choose() {
  line=$(list "$1" 'entry.release ?? ""' "${2:-$main}")
  resolve "$1" "$line"
}

# resolve NAME LINE: sets `commit`, whose tree is deployed; `release`, its tag or the image, empty where there is nothing to run yet;
# and `mark`, the last part of the tag that says what has passed.
resolve() {
  commit=$(git rev-parse "$main") release='' mark=''
  if [[ $2 =~ ^[a-z0-9.:/_-]+@sha256:([0-9a-f]{64})$ ]]; then
    release=$2 mark=${BASH_REMATCH[1]}
  elif [ "$2" = main ]; then
    name_release
  elif [[ $2 =~ ^[0-9a-f]{40}$ ]]; then
    commit=$2
    git merge-base --is-ancestor "$2" "$main" 2>/dev/null || refuse "$1 cannot run commit $2, which is not in the default branch of origin"
    name_release
  elif [ -n "$2" ]; then
    [ "$2" = "$(list "$1" before)" ] || refuse "$1 cannot run '$2', which is neither main, the environment before it, a commit in full nor an image with its digest"
    passed "$2"
  fi
}

# A tag for `commit`, which the control plane can build.
name_release() {
  release=refs/tags/release/${commit:0:12} mark=$commit
}

# passed NAME: as resolve, for what passed an environment last: what its line pins, or the newest commit with its tag.
passed() {
  local line commits
  line=$(list "$1" 'entry.release ?? ""')
  if [[ $line =~ ^[0-9a-f]{40}$|@ ]]; then
    resolve "$1" "$line"
    has_passed "$1" || release=''
    return
  fi
  commits=$(git for-each-ref --merged="$main" --format='%(objectname)/%(refname:lstrip=5)' "refs/origin/tags/passed/$1/" | sed -n 's|^\(.*\)/\1$|\1|p')
  [ -n "$commits" ] || return 0
  # shellcheck disable=SC2086 # One argument for each commit.
  commit=$(git rev-list -1 --topo-order $commits)
  name_release
}

# has_passed NAME: whether the tag is there. One of a commit is at that commit.
has_passed() {
  local at
  at=$(git rev-parse --verify --quiet "refs/origin/tags/passed/$1/$mark") && { [ "$at" = "$mark" ] || [ "${release%@*}" != "$release" ]; }
}

require_passed() {
  local before
  before=$(list "$1" before)
  [ -z "$before" ] || has_passed "$before" || refuse "$mark has not passed $before: origin has no tag passed/$before/$mark"
}

# push_tag TAG: sets a tag of origin to `commit`. Its name says which commit it is of, so where it was moved it is moved back.
push_tag() {
  local words
  words=$(git push --quiet --force origin "$commit:$1" 2>&1) || refuse "origin does not take the tag $1 of ${2:-$commit}: $words"
}

# make_tree NAME: the tree in which Pulumi runs: program, values and packages of `commit`. What lies in this clone has no part in
# it. A run that was killed leaves it to the next one.
make_tree() {
  tree=$(git rev-parse --absolute-git-dir)/tree-$1
  rm -rf "$tree"
  mkdir "$tree"
  git archive "$commit" | tar -x -C "$tree"
  run npm ci >/dev/null
}

# Runs a command in that tree.
run() {
  (cd "$tree" && "$@")
}

# stack COMMAND STACK [OPTION…]: runs pulumi up, preview, refresh or destroy of a stack.
stack() {
  local verb=$1 name=$2
  shift 2
  run pulumi "$verb" --stack "$name" --non-interactive --suppress-progress "$@"
}

# inspect STACK: sets `pending`, the number of operations that a killed run left. Refuses a state with resources that are not of
# this package: Pulumi runs what a state names, so whoever can write one could run code here. A check, no wall.
inspect() {
  local found
  found=$(run pulumi stack export --stack "$1" | node -p '
    const { resources = [], pending_operations: pending = [] } = JSON.parse(fs.readFileSync(0, "utf8")).deployment ?? {};
    const known = /^(pulumi:pulumi:Stack|pulumi:providers:agentserver|agentserver:index:\w+)$/;
    const foreign = [...resources, ...pending.map(({ resource }) => resource)]
      .filter(({ type, inputs }) => !known.test(type) || inputs?.pluginDownloadURL || inputs?.__provider);
    [pending.length, ...foreign.map(({ urn }) => urn)].join(" ")')
  pending=${found%% *}
  [ "$found" = "$pending" ] || refuse "the state of $1 has what its program never declares, which could run code here: ${found#* }; see docs/security.md of pulumi-agentserver"
}

# options: sets a stack to `release`, which must be of `commit`.
options() {
  options=(--config "release=$release" --config "commit=$commit" --config "protect=$protect")
}

# preview STACK SENTENCE: reports what setting it to `release` changes. Sets `words`, and `status` to 0 for no change, 7 for changes,
# else to Pulumi's exit code of an error.
preview() {
  local effect
  options
  status=0
  words=$(stack preview "$1" "${options[@]}" --json --refresh --expect-no-changes 2>&1) || status=$?
  case $status in
  0) effect="changes nothing." ;;
  6) status=7 effect="creates the stack:" ;;
  7) effect="changes this:" ;;
  *) effect="could not be previewed (exit code $status):" ;;
  esac
  report "$2 $effect"
}

# report SENTENCE: prints it with what `words` say, and writes both to report.md below the title.
report() {
  printf '%s\n' "$words" | node scripts/report.mjs "$title" "$1" "$status" | tee report.md
}

# up STACK [OPTION…]: sets it to `release`. A run that was killed leaves Pulumi's lock. In a job nobody else can hold it, since jobs of
# one environment wait for each other.
up() {
  set -- up "$@" --yes --skip-preview
  options
  stack "$@" "${options[@]}" 2>&1 | tee "$tree/up.log" && return
  [ -n "${CI:-}" ] && grep -qE 'currently locked|Another update is currently in progress' "$tree/up.log" || return 1
  run pulumi cancel --stack "$2" --yes
  stack "$@" "${options[@]}" 2>&1 | tee "$tree/up.log"
}
