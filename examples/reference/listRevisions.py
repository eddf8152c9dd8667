import pulumi
import pulumi_agentserver as agentserver

served = agentserver.get_deployment_output(name="support")
newest = agentserver.list_revisions_output(deployment_id=served.id, limit=1)
pulumi.export("newest", newest.revisions[0].status)
