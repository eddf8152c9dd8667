import pulumi
import pulumi_agentserver as agentserver

history = agentserver.get_thread_history_output(deployment_url="https://support.example.com", thread_id="5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f", limit=2)
pulumi.export("steps", history.states.apply(lambda all: [one.created_at for one in all]))
