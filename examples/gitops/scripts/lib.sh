#!/usr/bin/env bash
# What the other scripts share: the line of an environment, the tree of a commit, and runs of Pulumi in it. They source it.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
# `npm test` has checked the types: each further run would take some seconds, and fail an old program for newer types.
export PULUMI_NODEJS_TRANSPILE_ONLY=true
# The first line of report.md, by which its comment or issue is found again.
title="$(basename "$0" .sh) ${1:-}"
rm -f report.md
# The default branch of origin and its tags, as they are now. Branches and tags of this clone do not count.
main=refs/origin/HEAD
fetch() { git fetch --quiet --force --prune --no-tags origin "+HEAD:$main" '+refs/tags/*:refs/origin/tags/*'; }
fetch

# refuse SENTENCE: ends the script with a report, of which the nightly run makes an issue.
refuse() {
  printf '%s\n\nrefused: %s\n' "$title" "$1" | tee report.md >&2
  exit 1
}

# list NAME EXPRESSION [COMMIT]: answers from environments.json of a commit, by default of the default branch, with `entry`, the
# environment NAME, and `before`, the one before it. That of a pull request is one like the first, unprotected.
list() {
  git show "${3:-$main}:environments.json" | node -p '
    const { regions, environments } = JSON.parse(fs.readFileSync(0, "utf8")), [, wanted] = process.argv;
    const place = environments.findIndex(({ name }) => name === wanted), before = environments[place - 1] ?? {};
    const entry = /^pr-/.test(wanted) ? { ...environments[0], protect: false } : environments[place];
    '"$2" "$1"
}

# choose NAME [COMMIT]: sets what an environment is to run by its `line` on the default branch, or in COMMIT. Its control plane and
# `protect` are always those of the default branch. An environment of a pull request runs the commit that is checked out.
choose() {
  protect=$(list "$1" 'entry ? Boolean(entry.protect) : ""')
  [ -n "$protect" ] || refuse "environments.json on the default branch lists no environment $1"
  AGENTSERVER_BASE_URL=${AGENTSERVER_BASE_URL:-$(list "$1" 'regions[entry.region]')}
  export AGENTSERVER_BASE_URL
  line=$(list "$1" 'entry.release ?? ""' "${2:-$main}")
  case $1 in pr-*) name_release "$1" "$(git rev-parse HEAD)" ;; *) resolve "$1" "$line" ;; esac
}

# resolve NAME LINE: sets `commit`, whose tree is deployed; `release`, its tag or an image, empty where there is none yet; and
# `mark`, by which it is known to have passed.
resolve() {
  local pin="^[0-9a-f]{40}$|^[a-z0-9.:/_-]+@sha256:([0-9a-f]{64})$" before commits
  before=$(list "$1" 'before.name ?? ""')
  commit=$(git rev-parse "$main") release='' mark=''
  if [ "$2" = main ]; then
    name_release release "$commit"
  elif [[ $2 =~ $pin && $2 = *@* ]]; then
    release=$2 mark=${BASH_REMATCH[1]}
  elif [[ $2 =~ $pin ]]; then
    git merge-base --is-ancestor "$2" "$main" 2>/dev/null || refuse "$1 cannot run commit $2, which is not in the default branch of origin"
    name_release release "$2"
  elif [ -n "$2" ] && [ "$2" != "$before" ]; then
    refuse "$1 cannot run '$2', which is neither main, nor the environment before it, nor a commit in full, nor an image with its digest"
  elif [ -n "$2" ]; then
    before=$(list "$1" 'before.release ?? ""')
    if [[ $before =~ $pin ]]; then
      resolve "$2" "$before"
      has_passed "$2" || release=''
    else
      # The newest that passed. A tag counts only at the commit that it names.
      commits=$(git for-each-ref --merged="$main" --format='%(objectname)/%(refname:lstrip=5)' "refs/origin/tags/passed/$2/" | sed -n 's|^\(.*\)/\1$|\1|p')
      # shellcheck disable=SC2086 # One argument for each.
      [ -z "$commits" ] || name_release release "$(git rev-list -1 --topo-order $commits)"
    fi
  fi
}

# name_release PREFIX COMMIT: the tag that the control plane builds.
name_release() { commit=$2 mark=$2 release=refs/tags/$1/${2:0:12}; }

# has_passed NAME: whether what is chosen has passed an environment.
has_passed() {
  local at
  at=$(git rev-parse --verify --quiet "refs/origin/tags/passed/$1/$mark") && [[ $at = "$mark" || $release = *@* ]]
}

# require_passed NAME: refuses what has not passed the environment before it, if there is one.
require_passed() {
  local before
  before=$(list "$1" 'before.name ?? ""')
  [ -n "$release" ] || refuse "there is nothing that $1 can run${before:+, since nothing has passed $before}"
  [ -z "$before" ] || has_passed "$before" || refuse "$mark has not passed $before: origin has no tag passed/$before/$mark"
}

# push_tag TAG: sets a tag of origin to `commit`. Its name says which commit it is of: one that was moved is moved back.
push_tag() {
  local words
  words=$(git push --quiet --force origin "$commit:$1" 2>&1) || refuse "origin does not take the tag $1; run this again when it does: $words"
}

# The tree in which Pulumi runs: program, values and packages of `commit`, and nothing else of this clone. A run that was killed
# leaves it to the next one.
tree=$(git rev-parse --absolute-git-dir)/tree
make_tree() {
  rm -rf "$tree" && mkdir "$tree"
  git archive "$commit" | tar -x -C "$tree"
  run npm ci >/dev/null
}
run() { (cd "$tree" && "$@"); }

# inspect STACK: sets `pending`, the number of operations that a killed run left. Refuses a state with resources that are not of
# this package: Pulumi runs what a state names, so whoever writes one could run code here. A check, no wall.
inspect() {
  local found
  found=$(run pulumi stack export --stack "$1" | node -p '
    const { resources = [], pending_operations: pending = [] } = JSON.parse(fs.readFileSync(0, "utf8")).deployment ?? {};
    const known = /^(pulumi:pulumi:Stack|pulumi:providers:agentserver|agentserver:index:\w+)$/;
    const foreign = [...resources, ...pending.map(({ resource }) => resource)]
      .filter(({ type, inputs }) => !known.test(type) || inputs?.pluginDownloadURL);
    [pending.length, ...foreign.map(({ urn }) => urn)].join(" ")')
  pending=${found%% *}
  [ "$found" = "$pending" ] || refuse "the state of $1 has what its program never declared, and what could run code: ${found#* }"
}

# stack COMMAND STACK [OPTION…]: runs pulumi refresh or destroy of a stack. set_to COMMAND STACK [OPTION…]: up or preview, with what is chosen.
stack() { run pulumi "$1" --stack "$2" --non-interactive --suppress-progress "${@:3}"; }
set_to() { stack "$@" --config "release=$release" --config "commit=$commit" --config "protect=$protect"; }

# preview STACK SENTENCE: reports what setting it to what is chosen changes. Sets `words`, and `status` to 0 for no change, 7 for
# changes, else to Pulumi's exit code of an error.
preview() {
  # Pulumi ends with 6 where there is no stack yet.
  if run pulumi stack select "$1" >/dev/null 2>&1 || [ $? -ne 6 ]; then inspect "$1"; fi
  status=0
  words=$(set_to preview "$1" --json --refresh --expect-no-changes 2>&1) || status=$?
  [ "$status" -ne 6 ] || status=7
  report "$2"
}
report() { printf '%s\n' "$words" | node scripts/report.mjs "$title" "$1" "$status" | tee report.md; }

# up STACK [OPTION…]: sets it to what is chosen. A run that was killed leaves Pulumi's lock. In a job nobody else can hold it,
# since jobs of one environment wait for each other.
up() {
  set_to up "$@" --yes --skip-preview 2>&1 | tee "$tree/up.log" && return
  [ -n "${CI:-}" ] && grep -qE 'currently locked|Another update is currently in progress' "$tree/up.log" || return 1
  run pulumi cancel --stack "$1" --yes
  set_to up "$@" --yes --skip-preview 2>&1 | tee "$tree/up.log"
}
