import pulumi
import pulumi_agentserver as agentserver

production = agentserver.list_deployments_output(deployment_type=agentserver.DeploymentType.PROD)
pulumi.export("production", production.deployments.apply(lambda all: [one.url for one in all]))
