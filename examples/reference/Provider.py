import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()
eu = agentserver.Provider(
    "eu",
    base_url=config.require("euBaseUrl"),
    api_key=config.require_secret("euApiKey"),
    workspace_id=config.require("euWorkspaceId"),
)
in_eu = agentserver.Deployment(
    "in-eu",
    source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
    source_revision_config={"image_uri": "registry.example.com/support:1"},
    opts=pulumi.ResourceOptions(provider=eu),
)
pulumi.export("euUrl", in_eu.url)
