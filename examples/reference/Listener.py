import pulumi
import pulumi_agentserver as agentserver

cluster = agentserver.Listener(
    "cluster",
    compute_type="k8s",
    compute_id="cluster-1",
    compute_config={"k8s_namespaces": ["agents"]},
)
placed = agentserver.Deployment(
    "placed",
    source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
    source_config={
        "listener_id": cluster.id,
        "listener_config": {"k8s_namespace": "agents"},
        "resource_spec": {"cpu": 1, "queue_cpu": 0.5},
    },
    source_revision_config={"image_uri": "registry.example.com/support:1"},
)
pulumi.export("placedUrl", placed.url)
