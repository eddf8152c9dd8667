import pulumi
import pulumi_agentserver as agentserver

clusters = agentserver.list_listeners_output()
pulumi.export("clusters", clusters.listeners.apply(lambda all: [one.compute_id for one in all]))
