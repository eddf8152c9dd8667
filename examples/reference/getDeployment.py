import pulumi
import pulumi_agentserver as agentserver

found = agentserver.get_deployment_output(name="support")
pulumi.export("foundUrl", found.url)
