import pulumi
import pulumi_agentserver as agentserver

reports = agentserver.Deployment(
    "reports",
    source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
    source_revision_config={"image_uri": "registry.example.com/support:1"},
)
digest = agentserver.Cron(
    "digest",
    deployment_url=reports.url,
    graph_id="agent",
    schedule="0 9 * * 1-5",
    timezone="Europe/Berlin",
    input={"messages": [{"role": "user", "content": "Sum up the open tickets."}]},
)
pulumi.export("nextDigest", digest.next_run_date)
