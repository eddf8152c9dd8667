#!/usr/bin/env bash
# Prints the numbers of all open pull requests, one per line.
# usage: scripts/github/open-pull-requests.sh; needs GH_TOKEN
set -euo pipefail
gh api --paginate 'repos/{owner}/{repo}/pulls?state=open&per_page=100' --jq '.[].number'
