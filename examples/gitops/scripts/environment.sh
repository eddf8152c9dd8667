#!/bin/sh
# Sets the environment of a pull request to the commit that is checked out. Writes its URL to a Markdown file.
# usage: scripts/environment.sh NUMBER FILE
set -eu
stack=pr-$1
scripts/up.sh "$stack" "$(scripts/tag.sh "$stack")"
url=$(pulumi stack output url --stack "$stack")
printf 'Environment %s\n\n%s runs commit %s\n' "$stack" "$url" "$(git rev-parse HEAD)" | tee "$2"
