#!/bin/sh
# Comments on a pull request with a Markdown file. Replaces an earlier comment with the same first line.
# usage: scripts/github/comment.sh NUMBER FILE; needs GH_TOKEN
set -eu
TITLE=$(head -n 1 "$2")
export TITLE
id=$(gh api --paginate "repos/{owner}/{repo}/issues/$1/comments" \
  --jq '.[] | select(.body | startswith(env.TITLE)) | .id' | tail -n 1)
if [ -n "$id" ]; then
  gh api --method PATCH "repos/{owner}/{repo}/issues/comments/$id" --field "body=@$2" --silent
else
  gh pr comment "$1" --body-file "$2"
fi
