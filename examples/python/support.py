"""An agent on an agent server, from a git repository."""

import pulumi
import pulumi_agentserver as agentserver


def deploy() -> None:
    config = pulumi.Config()
    support = agentserver.Deployment(
        "support",
        source=agentserver.DeploymentSource.GIT_HOST,
        source_config={
            "integration_id": agentserver.get_integration_output().id,
            "repo_url": config.require("repoUrl"),
            "deployment_type": agentserver.DeploymentType.DEV,
        },
        source_revision_config={"repo_ref": "main", "graph_config_path": "langgraph.json"},
        env={"LOG_LEVEL": config.get("logLevel") or "info"},
        secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    )
    pulumi.export("url", support.url)
