import pulumi
import pulumi_agentserver as agentserver

state = agentserver.get_thread_state_output(deployment_url="https://support.example.com", thread_id="5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f")
pulumi.export("threadValues", state.values)
