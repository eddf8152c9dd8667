import pulumi
import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
    source_revision_config={"image_uri": "registry.example.com/support:1"},
)
fixture = agentserver.Thread(
    "fixture",
    deployment_url=agent.url,
    graph_id="agent",
    supersteps=[
        {"updates": [{"as_node": "__input__", "values": {}}]},
        {
            "updates": [
                {
                    "as_node": "__start__",
                    "values": {"messages": [{"type": "human", "content": "Where is my order?"}]},
                }
            ]
        },
        {
            "updates": [
                {
                    "as_node": "agent",
                    "values": {"messages": [{"type": "ai", "content": "On its way."}]},
                }
            ]
        },
    ],
)
pulumi.export("threadId", fixture.thread_id)
