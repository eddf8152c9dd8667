#!/bin/sh
# Releases to production exactly what staging runs, and refuses everything else.
# usage: scripts/promote.sh TAG, for example refs/tags/v1.4.0
set -eu
refuse() {
  echo "not promoted: $1" >&2
  exit 1
}
case $1 in
refs/tags/*) ;;
*) refuse "$1 is not a tag (refs/tags/…), and a branch moves" ;;
esac

record=$(scripts/records.sh staging | tail -n 1)
[ -n "$record" ] || refuse "no release to staging is recorded"
staged=${record%% *}
release=${record#* }
commit=$(git rev-parse --verify --quiet "$1^{commit}") || refuse "$1 does not exist"
running=$(git rev-parse "$staged^{commit}")
[ "$commit" = "$running" ] ||
  refuse "$1 is commit $commit, but staging runs commit $running ($staged); tag that one, or wait until staging runs yours"

echo "promoting $staged: $release"
scripts/at.sh "$staged" scripts/release.sh production "$release"
