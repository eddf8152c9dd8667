import pulumi
import pulumi_agentserver as agentserver

versions = agentserver.list_assistant_versions_output(deployment_url="https://support.example.com", assistant_id="8d2fdf5d-7331-4702-b419-c34f4de91ad4", limit=2)
pulumi.export("newestVersions", versions.versions.apply(lambda all: [one.version for one in all]))
