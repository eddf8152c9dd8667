#!/bin/sh
# Tags the commit that is checked out, so that the control plane can build exactly this commit. Prints the tag.
# usage: scripts/tag.sh PREFIX
set -eu
commit=$(git rev-parse HEAD)
tag="refs/tags/$1/$(git rev-parse --short=12 HEAD)"
# Repeating it is fine. A tag of this name at another commit is refused by git.
git push --quiet origin "$commit:$tag" >&2
echo "$tag"
