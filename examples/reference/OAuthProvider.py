import pulumi
import pulumi_agentserver as agentserver

tracker = agentserver.OAuthProvider(
    "tracker",
    provider_id="tracker",
    name="Issue tracker",
    client_id="support-agent",
    client_secret=pulumi.Config().require_secret("trackerClientSecret"),
    auth_url="https://tracker.example.com/oauth/authorize",
    token_url="https://tracker.example.com/oauth/token",
    uses_pkce=True,
)
pulumi.export("trackerId", tracker.id)
