import pulumi
import pulumi_agentserver as agentserver

assistant = agentserver.get_assistant_output(deployment_url="https://support.example.com", assistant_id="5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f")
pulumi.export("assistantName", assistant.name)
