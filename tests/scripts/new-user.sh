# What a new user types who has Pulumi, Node, Python and git, and nothing of this project but what its release has published.
# EXAMPLES is the folder of the examples, ARCHIVES the address of the plugin's archives.
set -eu
export PULUMI_BACKEND_URL="file://$PWD/state" PULUMI_CONFIG_PASSPHRASE=only-for-trying
mkdir state shop python
cp -r "$EXAMPLES/quickstart/agent" agent
git -C agent init --quiet --initial-branch main
git -C agent add --all
git -C agent -c user.name=me -c user.email=me@example.com commit --quiet --message "The agent"
trap 'cd "$HERE/shop" && npx pulumi-agentserver local stop' EXIT
HERE=$PWD

: "TypeScript, from npm"
cd shop
printf 'name: shop\nruntime: nodejs\n' >Pulumi.yaml
npm init --yes >/dev/null && npm pkg set main=index.ts
npm install --no-audit --no-fund pulumi-agentserver @pulumi/pulumi typescript@5 @types/node@22
cp "$EXAMPLES/quickstart/index.ts" index.ts
npx pulumi-agentserver local --port 0 --agent-server built-in >platform.log &
until grep -q http platform.log; do sleep 1; done
eval "$(npx pulumi-agentserver env)"

: "The first deployment"
pulumi stack init dev
pulumi config set repoUrl "file://$HERE/agent"
pulumi config set --secret modelApiKey not-a-real-key
pulumi up --yes
curl --silent --fail "$(pulumi stack output url)/info"
pulumi preview --expect-no-changes

: "A second environment"
pulumi stack init staging --copy-config-from dev
pulumi up --yes
curl --silent --fail "$(pulumi stack output url)/info"
npx pulumi-agentserver list

: "Python, from the index, with the plugin from its archive"
cd ../python
printf 'name: python\nruntime: python\n' >Pulumi.yaml
python3 -m venv venv
venv/bin/pip install --quiet pulumi-agentserver
cp "$EXAMPLES"/python/*.py .
pulumi plugin install resource agentserver "$VERSION" --server "$ARCHIVES"
pulumi stack init python
pulumi config set repoUrl "file://$HERE/agent"
pulumi config set --secret modelApiKey not-a-real-key
venv/bin/python automate.py up
curl --silent --fail "$(pulumi stack output url)/info"

: "All is taken away"
venv/bin/python automate.py destroy
cd ../shop
for name in dev staging; do pulumi destroy --yes --stack "$name"; done
