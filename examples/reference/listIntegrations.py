import pulumi
import pulumi_agentserver as agentserver

hosts = agentserver.list_integrations_output()
pulumi.export("hosts", hosts.integrations.apply(lambda all: [one.name for one in all]))
