import pulumi
import pulumi_agentserver as agentserver

found = agentserver.search_crons_output(deployment_url="https://support.example.com", metadata={"team": "support"})
pulumi.export("schedules", found.crons.apply(lambda all: [one.schedule for one in all]))
