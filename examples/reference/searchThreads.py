import pulumi
import pulumi_agentserver as agentserver

idle = agentserver.search_threads_output(deployment_url="https://support.example.com", status=agentserver.ThreadStatus.IDLE, limit=10)
pulumi.export("idleThreads", idle.threads.apply(lambda all: [one.thread_id for one in all]))
