import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()
support = agentserver.Deployment(
    "support",
    source=agentserver.DeploymentSource.GIT_HOST,
    source_config={
        "integration_id": config.require("integrationId"),
        "repo_url": "https://git.example.com/acme/support.git",
        "deployment_type": agentserver.DeploymentType.DEV,
    },
    source_revision_config={"repo_ref": "main", "graph_config_path": "langgraph.json"},
    env={"LOG_LEVEL": "info"},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
)
pulumi.export("url", support.url)
