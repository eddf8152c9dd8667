import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { settingsFor, TestStack } from "../../support/engine";
import { DIALECTS } from "../../../sdk/dialect";
import { NATIVE } from "../../support/front-ends";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

const IMAGE = {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1.2" },
} as const;
type Variables = Record<string, string>;
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
    const { ok, text, steps } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(steps).to.deep.equal({ support: "import" });
    expect((await stack.deployment()).id).to.equal(id);
    declare(declared);
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    expect((await stack.refresh()).ok).to.equal(true);
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

  it("names the workspace that does not have the id, and says so of a string that is not an id", async () => {
    const wrong = "11111111-1111-4111-8111-111111111111";
    declare(args("support"), wrong);
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.contain(
      `get deployment '${wrong}': it does not exist in workspace ${test.platform.workspaceId} of ${test.platform.url}`,
    );
    declare(args("support"), "support");
    expect((await stack.up()).text)
      .to.contain("get deployment 'support': an id is a UUID, and this is none")
      .and.contain("getDeployment({ name })");
  });

  it("names what differs where the program declares another source", async () => {
    const { id, name } = await made({ ...anImageDeployment(), secrets: [] });
    declare(args(name), id);
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.contain("source: {external_container} => {git_host}");
    expect(await test.get(id)).to.include({ id, source: "external_container" });
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

for (const dialect of DIALECTS)
  describeLong(`an import of variables, in dialect ${dialect}`, () => {
    let test: TestPlatform;
    let stack: TestStack;
    before(async () => {
      test = await startTestPlatform({ dialect });
      const settings = {
        ...settingsFor(test.platform),
        "agentserver:dialect": { value: dialect },
      };
      stack = await TestStack.create(settings, async () => undefined, NATIVE);
    });
    after(() => Promise.all([stack.remove(), test.close()]));

    /** By the name of the resource: none, and every shape, in both arguments. */
    const SHAPES: Readonly<Record<string, Partial<Record<"env" | "secrets", Variables>>>> = {
      none: {},
      all: {
        env: {
          EMPTY: "",
          LINES: "one\ntwo",
          QUOTES: `"'\u00fc`,
          LOG_JSON: "true",
          "with.dot": "1",
        },
        secrets: { LANGSMITH_API_KEY: SECRET, POSTGRES_URI_CUSTOM: "postgres://a:b@c/d" },
      },
      secret: { secrets: { MODEL_API_KEY: SECRET } },
    };

    it("creates no revision, and is clean at the next preview and after a refresh, whatever the variables are", async () => {
      const made: Record<string, string> = {};
      for (const [name, { env, secrets }] of Object.entries(SHAPES)) {
        const values = Object.entries({ ...env, ...secrets });
        const variables = values.map(([key, value]) => ({ name: key, value }));
        const { id } = await test.create({ ...anImageDeployment(), name, secrets: variables });
        await test.untilRevision(id, "DEPLOYED");
        made[name] = id;
      }
      const declare = (ids: Readonly<Record<string, string>>) => {
        stack.program = async ({ Deployment }) => {
          for (const [name, variables] of Object.entries(SHAPES)) {
            const id = ids[name];
            const args = { ...IMAGE, name, ...variables };
            new Deployment(name, args, id === undefined ? {} : { import: id });
          }
        };
      };
      declare(made);
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      for (const id of Object.values(made)) expect(await test.revisions(id)).to.have.lengthOf(1);
      declare({});
      const clean = { same: Object.keys(SHAPES).length + 1 };
      expect((await stack.preview()).changes).to.deep.equal(clean);
      expect((await stack.refresh()).ok).to.equal(true);
      expect((await stack.preview()).changes).to.deep.equal(clean);
      expect(await stack.stateFiles()).not.to.contain(SECRET);
    });
  });
