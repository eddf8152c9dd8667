import pulumi
import pulumi_agentserver as agentserver

client = agentserver.get_o_auth_provider_output(provider_id="tracker")
pulumi.export("clientId", client.client_id)
