#!/usr/bin/env bash
# Publishes report.md, whose first line is its title: as the comment of this title on a pull request, or without one as an issue,
# and as a comment on the issue of this title that is open. Only what a workflow has written is edited.
# usage: scripts/github/report.sh [NUMBER]; needs GH_TOKEN
set -euo pipefail
TITLE=$(head -n 1 report.md)
export TITLE
if [ -n "${1:-}" ]; then
  id=$(gh api --paginate "repos/{owner}/{repo}/issues/$1/comments" \
    --jq '.[] | select(.user.login == "github-actions[bot]" and (.body | startswith(env.TITLE + "\n"))) | .id' | tail -n 1)
  if [ -z "$id" ]; then exec gh pr comment "$1" --body-file report.md; fi
  exec gh api --method PATCH "repos/{owner}/{repo}/issues/comments/$id" --field body=@report.md --silent
fi
number=$(gh issue list --state open --limit 1000 --json number,title \
  --jq '.[] | select(.title == env.TITLE) | .number' | head -n 1)
if [ -z "$number" ]; then exec gh issue create --title "$TITLE" --body-file report.md; fi
gh issue comment "$number" --body-file report.md
