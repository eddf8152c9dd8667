import pulumi
import pulumi_agentserver as agentserver

listener = agentserver.get_listener_output(compute_id="cluster-1")
pulumi.export("namespaces", listener.compute_config)
