import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { expectDone } from "../../support/run";
import { settingsFor, TestStack } from "../../support/engine";
import { NATIVE } from "../../support/front-ends";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

const SECRET = "value-CANARY-of-a-secret";

describeLong("an import through the native provider", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const declare = (args: DeploymentArgs, id?: string) => {
    stack.program = async ({ Deployment }) => {
      const { url } = new Deployment("support", args, id === undefined ? {} : { import: id });
      return { url };
    };
  };
  const made = async (changes = {}) => {
    const deployment = await test.create(changes);
    await test.untilRevision(deployment.id, "DEPLOYED");
    return deployment;
  };
  const args = (name: string, more = {}): DeploymentArgs => ({ ...gitArgs(test), name, ...more });

  before(async () => {
    test = await startTestPlatform();
  });
  beforeEach(async () => {
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined, NATIVE);
  });
  afterEach(() => stack.remove());
  after(() => test.close());

  it("takes a deployment made by hand into the state as it is, and the next preview is clean", async () => {
    const { id, name } = await made({ secrets: [{ name: "MODEL_API_KEY", value: SECRET }] });
    const declared = args(name, {
      secrets: { MODEL_API_KEY: SECRET },
      sourceConfig: {
        ...gitArgs(test).sourceConfig,
        repoUrl: (await test.get(id)).source_config.repo_url,
      },
    });
    declare(declared, id);
    const { text, steps } = await expectDone(stack.up());
    expect(steps).to.deep.equal({ support: "import" });
    expect((await stack.deployment()).id).to.equal(id);
    declare(declared);
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    await expectDone(stack.refresh());
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    for (const shown of [text, await stack.stateFiles()]) expect(shown).not.to.contain(SECRET);
  });

  it("takes an image with its size, and every declared member but the read-only ones", async () => {
    const { id } = await made({ ...anImageDeployment(), secrets: [] });
    const { code, text } = await stack.import("Deployment", "support", id);
    expect(code, text).to.equal(0);
    expect(text).not.to.contain("warning");
    const { inputs } = await stack.deployment();
    expect(inputs).to.have.keys("name", "source", "sourceConfig", "sourceRevisionConfig");
  });

  it("takes a listener and an OAuth provider too", async () => {
    const provider = {
      provider_id: "tracker",
      name: "Tracker",
      client_id: "support",
      client_secret: SECRET,
      auth_url: "https://tracker.example.com/authorize",
      token_url: "https://tracker.example.com/token",
    };
    await test.request("POST", "/v2/auth/providers", provider);
    for (const [type, name, id] of [
      ["Listener", "local", test.listenerId],
      ["OAuthProvider", "tracker", "tracker"],
    ] as const) {
      const { code, text } = await stack.import(type, name, id);
      expect(code, text).to.equal(0);
      expect(text).not.to.contain("warning");
    }
    const [listener] = await stack.listeners();
    expect(listener?.inputs).to.deep.include({ computeType: "k8s", computeId: "local" });
    stack.program = async ({ Listener, OAuthProvider }) => {
      new Listener("local", {
        computeType: "k8s",
        computeId: "local",
        computeConfig: { k8sNamespaces: ["default", "agents"] },
      });
      new OAuthProvider("tracker", {
        providerId: "tracker",
        name: "Tracker",
        clientId: "support",
        authUrl: provider.auth_url,
        tokenUrl: provider.token_url,
      });
      return {};
    };
    const { changes, text } = await stack.preview({ diff: true });
    expect(changes, text).to.deep.equal({ same: 3 });
    const refreshed = await stack.refresh();
    expect(refreshed.changes, refreshed.text).to.deep.equal({ same: 3 });
  });
});
