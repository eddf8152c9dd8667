import { expect } from "chai";
import { getOAuthProvider, listOAuthProviders } from "pulumi-agentserver";
import { anOAuthProvider } from "../../support/builders";
import { OAUTH_INPUTS } from "../../support/inputs";
import { usePlatform } from "../../support/platform";
import { configureStack, unconfigureStack } from "./stack-configuration";

describe("looking up OAuth providers", () => {
  const test = usePlatform();
  const create = (provider_id: string) => {
    const body = anOAuthProvider({ provider_id, client_secret: "value-CANARY" });
    return test.request("POST", "/v2/auth/providers", body);
  };

  before(async () => {
    configureStack(test.platform);
    await create("tracker");
    await create("calendar");
  });
  after(unconfigureStack);

  it("finds one by its slug, with everything but its secret", async () => {
    const {
      createdAt: _c,
      updatedAt: _u,
      ...provider
    } = await getOAuthProvider({ providerId: "tracker" });
    const { workspaceId, url: baseUrl } = test.platform;
    expect(provider).to.deep.equal({
      id: "tracker",
      ...OAUTH_INPUTS,
      usesPkce: false,
      codeChallengeMethod: "S256",
      providerType: null,
      tokenEndpointAuthMethod: "client_secret_post",
      tenantId: workspaceId,
      baseUrl,
      organizationId: workspaceId,
      mcpServerUrl: null,
      isDynamicClient: false,
    });
  });

  it("lists them all", async () => {
    const providers = await listOAuthProviders();
    expect(providers.map(({ id }) => id)).to.deep.equal(["tracker", "calendar"]);
    expect(JSON.stringify(providers)).not.to.contain("CANARY");
  });
});
