import pulumi
import pulumi_agentserver as agentserver

versions = agentserver.list_assistant_versions_output(deployment_url="https://support.example.com", assistant_id="5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f", limit=2)
pulumi.export("newestVersions", versions.versions.apply(lambda all: [one.version for one in all]))
