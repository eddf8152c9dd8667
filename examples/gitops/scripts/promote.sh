#!/usr/bin/env bash
# Proposes what an environment is to run: writes its line of environments.json on a branch, and pushes that for a pull request. By
# default what passed the environment before last. With an older commit or image it is the way back.
# usage: scripts/promote.sh ENVIRONMENT [COMMIT | IMAGE@DIGEST]
set -euo pipefail
. "${0%/*}/lib.sh"
wanted=${2:-$(list "$1" 'before.name ?? ""')}
resolve "$1" "$(git rev-parse --verify --quiet "$wanted^{commit}" || echo "$wanted")"
require_passed "$1"
case $release in *@*) line=$release ;; *) line=$commit ;; esac
[ "$line" != "$(list "$1" entry.release)" ] || refuse "$1 is at $line already"
# Nothing but this line changes, without a work tree. A proposal that is approved late meets a conflict in it.
file=$(git show "$main:environments.json" | node -e '
  const [name, line] = process.argv.slice(1);
  const entry = new RegExp(`("name": "${name}"[^}]*"release": )(null|"[^"]*")`);
  process.stdout.write(fs.readFileSync(0, "utf8").replace(entry, `$1"${line}"`));' "$1" "$line" | git hash-object -w --stdin)
GIT_INDEX_FILE=$(git rev-parse --absolute-git-dir)/promotion
export GIT_INDEX_FILE
git read-tree "$main"
git update-index --cacheinfo "100644,$file,environments.json"
message="$1 runs ${mark:0:12}: $(git log -1 --format=%s "$commit")"
proposal=$(git commit-tree "$(git write-tree)" -p "$main" -m "$message")
branch=promote/$1-${mark:0:12}
git push --force origin "$proposal:refs/heads/$branch"
if command -v gh >/dev/null && gh pr create --head "$branch" --title "$message" --body "By scripts/promote.sh"; then exit; fi
echo "pushed $branch: open a pull request of it, at the address above"
