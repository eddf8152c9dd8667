#!/bin/sh
# Sets a stack to a release and records it: the tag STACK/N of the commit. Without RELEASE the commit is tagged first.
# usage: scripts/release.sh STACK [RELEASE]
set -eu
stack=$1
release=${2:-$(scripts/tag.sh release)}
scripts/up.sh "$stack" "$release"

commit=$(git rev-parse HEAD)
built=$(pulumi stack output commit --stack "$stack")
# It is empty for an image.
if [ "${built:-$commit}" != "$commit" ]; then
  echo "not recorded: $stack runs commit $built, but $release was commit $commit when this run began; restore the tag, and run this again" >&2
  exit 1
fi

number=$(git ls-remote origin "refs/tags/$stack/*" | sed -n 's|.*/\([0-9]*\)$|\1|p' | sort -n | tail -n 1)
record=$stack/$((${number:-0} + 1))
revision=$(pulumi stack output revision --stack "$stack")
git -c user.name="${GIT_COMMITTER_NAME:-pipeline}" -c user.email="${GIT_COMMITTER_EMAIL:-pipeline@localhost}" \
  tag --annotate "$record" "$commit" --message "$release" --message "revision $revision"
git push --quiet origin "refs/tags/$record"
echo "recorded as $record: $release"
