#!/bin/sh
# Destroys the environment of a pull request, also one whose run was killed. Does nothing if there is none.
# usage: scripts/destroy-environment.sh NUMBER
set -eu
stack=pr-$1
status=0
pulumi stack select "$stack" || status=$?
if [ "$status" -eq 6 ]; then # Pulumi's exit code for "stack not found"
  echo "there is no environment $stack"
  exit 0
fi
[ "$status" -eq 0 ] || exit "$status"

# As in resume.sh.
pulumi cancel --stack "$stack" --yes || true
tags=$(git ls-remote origin "refs/tags/$stack/*" | cut -f 2)
pending=$(pulumi stack export --stack "$stack" | node -p '
  (JSON.parse(fs.readFileSync(0)).deployment.pending_operations ?? []).length')
if [ "$pending" -gt 0 ]; then
  # What a killed create made is not in the state, which records that create: `pulumi up` finds it by that.
  pulumi up --stack "$stack" --config "release=$(echo "$tags" | tail -n 1)" --config waitUntil=none \
    --yes --skip-preview --non-interactive
  pulumi refresh --stack "$stack" --clear-pending-creates --yes --skip-preview --non-interactive
fi
pulumi destroy --stack "$stack" --remove --yes --skip-preview --non-interactive
for tag in $tags; do git push --quiet origin --delete "$tag"; done
