import pulumi
import pulumi_agentserver as agentserver

helpdesk = agentserver.Deployment(
    "helpdesk",
    source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
    source_revision_config={"image_uri": "registry.example.com/support:1"},
)
german = agentserver.Assistant(
    "support-de",
    deployment_url=helpdesk.url,
    graph_id="agent",
    description="German tier 1",
    config={"recursion_limit": 25},
    context={"model": "m-large", "prompt": "Antworte kurz."},
    metadata={"team": "support"},
)
pulumi.export("assistantVersion", german.version)
