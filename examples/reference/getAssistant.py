import pulumi
import pulumi_agentserver as agentserver

assistant = agentserver.get_assistant_output(deployment_url="https://support.example.com", assistant_id="8d2fdf5d-7331-4702-b419-c34f4de91ad4")
pulumi.export("assistantName", assistant.name)
