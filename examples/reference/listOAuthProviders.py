import pulumi
import pulumi_agentserver as agentserver

clients = agentserver.list_o_auth_providers_output()
pulumi.export("slugs", clients.providers.apply(lambda all: [one.provider_id for one in all]))
