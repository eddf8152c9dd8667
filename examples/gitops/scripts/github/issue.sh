#!/bin/sh
# Opens an issue with a Markdown file, whose first line is the title. Comments on the issue of this title if it is open.
# usage: scripts/github/issue.sh FILE; needs GH_TOKEN
set -eu
TITLE=$(head -n 1 "$1")
export TITLE
number=$(gh issue list --state open --limit 1000 --json number,title \
  --jq '.[] | select(.title == env.TITLE) | .number' | head -n 1)
if [ -n "$number" ]; then
  gh issue comment "$number" --body-file "$1"
else
  gh issue create --title "$TITLE" --body-file "$1"
fi
