#!/bin/sh
# What the other scripts share: environments, records, and runs of Pulumi in the tree of a commit. They source it.
set -eu
root=$(git rev-parse --show-toplevel)
# `npm test` has checked the types: each further run would take some seconds, and fail an old program for newer types.
export PULUMI_NODEJS_TRANSPILE_ONLY=true

# Options come before the arguments.
yes=no own=no
while case ${1:-} in --yes) yes=yes ;; --own-packages) own=yes ;; *) false ;; esac; do shift; done

refuse() {
  printf "%s\n" "$(basename "$0" .sh): refused: $1" >&2
  exit 1
}

# environments NAME EXPRESSION: answers from environments.json, with all of them as `all`, and the place of NAME among them.
environments() {
  node -p '
    const { regions, environments: all } = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
    const place = all.findIndex(({ name }) => name === process.argv[2]);
    '"$2" "$root/environments.json" "$1"
}

# The first argument is a stack: sets the `environment` whose region it has, and `protect`. Without one, and for that of a pull
# request, it is the first one, unprotected.
protect=false
case ${1:-} in
"" | pr-*) environment=$(environments "" 'all[0].name') ;;
*) environment=$1 protect=$(environments "$1" 'all[place]?.protect') ;;
esac
[ "$protect" != undefined ] || refuse "environments.json has no environment $environment"
AGENTSERVER_BASE_URL=${AGENTSERVER_BASE_URL:-$(environments "$environment" 'regions[all[place].region]')}
export AGENTSERVER_BASE_URL

# Fetches the default branch of origin and its tags, as they are now. Branches and tags of this clone do not count.
fetch() {
  git fetch --quiet --force --prune --no-tags origin +HEAD:refs/origin/HEAD '+refs/tags/*:refs/origin/tags/*'
}

require_merged() {
  git merge-base --is-ancestor "$1" refs/origin/HEAD || refuse "${2:-}commit $1 is not in the default branch on origin"
}

# take COMMIT: what a release of it is made of.
take() {
  commit=$(git rev-parse "$1")
  packages=$commit
}

# newest ENVIRONMENT: its newest record, or nothing.
newest() {
  git for-each-ref --sort=version:refname --format='%(refname:lstrip=3)' "refs/origin/tags/$1/" | sed -n '/\/[0-9][0-9]*$/p' | tail -n 1
}

# choose ENVIRONMENT [RECORD]: verifies a record of it, by default the newest, and sets `from`.
choose() {
  fetch
  from=${2:-$(newest "$1")}
  [ -n "$from" ] || refuse "no release to $1 is recorded"
  [ "${from%/*}" = "$1" ] || refuse "$from is no record of $1"
  verify "$from"
}

# verify RECORD: refuses one that no pipeline made, or whose commit or release is not what it was. Sets what it says:
# `commit`, `release`, and `packages`, the commit whose lock file it was deployed with.
verify() {
  object=$(git rev-parse --verify --quiet "refs/origin/tags/$1") || refuse "there is no record $1 on origin"
  verify_signature "$1" "$object"
  commit=$(git rev-parse "$object^{commit}")
  require_merged "$commit" "$1 is no release: its "
  text=$(git cat-file tag "$object" | sed '1,/^$/d')
  release=$(printf '%s\n' "$text" | sed -n '1p')
  packages=$(printf '%s\n' "$text" | sed -n 's/^packages //p')
  case $release in
  refs/tags/*) # The control plane builds what the tag is then.
    now=$(git rev-parse --verify --quiet "refs/origin/${release#refs/}^{commit}") || now=missing
    [ "$now" = "$commit" ] || refuse "$release was moved: it is $now, and $1 released commit $commit; move it back: git push --force origin $commit:$release"
    ;;
  esac
}

# verify_signature RECORD OBJECT: the signers are those that the default branch names. A record's own tree could name others.
verify_signature() {
  signers=$(mktemp)
  git show refs/origin/HEAD:allowed_signers >"$signers" || refuse "the default branch on origin has no file allowed_signers"
  words=$(git -c gpg.ssh.allowedSignersFile="$signers" -c gpg.program=false -c gpg.x509.program=false \
    verify-tag "$2" 2>&1) && signed=yes || signed=no
  rm "$signers"
  [ "$signed" = yes ] || refuse "$1 is not signed by a key of allowed_signers on the default branch: $(printf '%s\n' "$words" | tail -n 1)"
  [ "$(git cat-file tag "$2" | sed -n 's/^tag //p;/^$/q')" = "$1" ] || refuse "$1 was signed as another record"
}

# Makes the tree in which Pulumi runs: the program and values of `commit`, with the packages of `packages`. What lies in this
# clone has no part in it, and nothing is left here. Packages that this clone has already are not installed again.
make_tree() {
  tree=$(mktemp -d)
  trap 'git -C "$root" worktree remove --force "$tree"' EXIT
  git worktree add --quiet --detach "$tree" "$commit"
  git -C "$tree" checkout --quiet "$packages" -- package.json package-lock.json
  if [ -d node_modules ] && git diff --quiet "$packages" -- package.json package-lock.json; then
    ln -s "$root/node_modules" "$tree/node_modules"
  else
    run npm ci >/dev/null
  fi
}

# Runs a command in that tree.
run() {
  (cd "$tree" && "$@")
}

# stack COMMAND STACK [OPTION…]: runs pulumi up, preview, refresh or destroy of a stack.
stack() {
  verb=$1 name=$2
  shift 2
  run pulumi "$verb" --stack "$name" --non-interactive --suppress-progress "$@"
}

# Previews what `release` changes in the environment. Sets `words`; `status` to 0 for no change, 7 for changes, else to Pulumi's
# exit code of an error; and `effect` to the end of a sentence.
preview() {
  status=0
  words=$(stack preview "$environment" --config "release=$release" --config "commit=$commit" --config "protect=$protect" \
    --json --refresh --expect-no-changes 2>&1) || status=$?
  case $status in
  0) effect="changes nothing." ;;
  6) status=7 effect="creates the stack:" ;;
  7) effect="changes this:" ;;
  *) effect="could not be previewed (exit code $status):" ;;
  esac
}

# show TITLE SUBJECT: reports a preview, and ends where it failed.
show() {
  preview
  report "$1" "$2 $effect"
  case $status in 0 | 7) ;; *) exit "$status" ;; esac
}

# up STACK [OPTION…]: sets it to `release`, which must be `commit`, and creates the stack if it does not exist.
up() {
  run pulumi stack select --create "$1"
  stack up "$@" --config "release=$release" --config "commit=$commit" --config "protect=$protect" --refresh --yes --skip-preview
}

# confirm VERB RECORD: where neither --yes nor a person says yes, nothing more is done. The workflow asks with that record.
confirm() {
  [ "$yes" = no ] || return 0
  echo "record=$2" >>"${GITHUB_OUTPUT:-/dev/null}"
  if [ -t 0 ]; then
    printf '%s? [y/N] ' "$1"
    read -r answer
    [ "$answer" != y ] || return 0
  fi
  echo "nothing was changed; with --yes it is done"
  exit 0
}

# deploy: sets the environment to `release`, which is `commit`, and records that: a signed tag of the commit. It is signed
# first, so that a key that is missing or not allowed is found before anything changes, and pushed last.
deploy() {
  number=$(newest "$environment" | sed 's|.*/||')
  record=$environment/$((${number:-0} + 1))
  sign "$record" "$release" "packages $packages"
  [ -n "${tree:-}" ] || make_tree
  up "$environment"
  git push --quiet origin "$object:refs/tags/$record"
  echo "recorded as $record: $release"
}

# sign RECORD LINE LINE: sets `object` to a signed tag of `commit`, which no ref of this clone names. An agent holds SIGNING_KEY
# for one command, so it lies on no disk; without it, git's own settings say who signs.
sign() {
  set -- -c user.name="${GIT_COMMITTER_NAME:-pipeline}" -c user.email="${GIT_COMMITTER_EMAIL:-pipeline@localhost}" \
    tag --force --sign "$1" "$commit" --message "$2" --message "$3"
  if [ -n "${SIGNING_KEY:-}" ]; then
    # shellcheck disable=SC2016 # The inner shell expands it.
    ssh-agent sh -c 'printf "%s\n" "$SIGNING_KEY" | ssh-add -q - &&
      git -c gpg.format=ssh -c "user.signingKey=key::$(ssh-add -L)" "$@"' sh "$@"
  else
    git "$@"
  fi >/dev/null || refuse "a record cannot be signed: set SIGNING_KEY to the private key of one in allowed_signers"
  unset SIGNING_KEY
  object=$(git rev-parse "refs/tags/$record")
  git tag --delete "$record" >/dev/null
  verify_signature "$record" "$object"
}

# tag PREFIX: tags `commit`, so that the control plane can build exactly this commit, and sets `release`. Repeating it is fine.
# A tag of this name at another commit is refused by git.
tag() {
  release="refs/tags/$1/$(git rev-parse --short=12 "$commit")"
  git push --quiet origin "$commit:$release" >&2
}

# report TITLE SENTENCE: prints both with what `words` say, and writes them to report.md.
report() {
  printf '%s\n' "$words" | node "$root/scripts/report.mjs" "$1" "$2" "$status" | tee report.md
}
