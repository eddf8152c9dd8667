import pulumi
import pulumi_agentserver as agentserver

integration = agentserver.get_integration_output()
pulumi.export("integrationId", integration.id)
