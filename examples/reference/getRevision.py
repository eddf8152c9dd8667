import pulumi
import pulumi_agentserver as agentserver

deployed = agentserver.get_deployment_output(name="support")
revision = agentserver.get_revision_output(
    deployment_id=deployed.id,
    revision_id=deployed.active_revision_id,
)
pulumi.export("commit", revision.repo_commit_sha)
