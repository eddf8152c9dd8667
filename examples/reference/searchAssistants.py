import pulumi
import pulumi_agentserver as agentserver

german = agentserver.search_assistants_output(deployment_url="https://support.example.com", graph_id="agent", name="german")
pulumi.export("germanAssistants", german.assistants.apply(lambda all: [one.assistant_id for one in all]))
