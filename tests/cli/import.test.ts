import { expect } from "chai";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { importExisting, type ImportOptions } from "../../cli/import";
import { DOORS, importedProject } from "../../cli/imported-program";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { rejection } from "../support/rejection";
import { testTerminal } from "./terminal";

const SECRET = "value-CANARY";

describe("the command import", () => {
  let t: TestPlatform;
  let home: string;
  before(async () => (t = await startTestPlatform()));
  beforeEach(async () => (home = await mkdtemp(join(tmpdir(), "agentserver-import-"))));
  afterEach(() => rm(home, { recursive: true }));
  after(() => t.close());

  const write = async (options: Partial<ImportOptions> = {}) => {
    const folder = join(home, "imported");
    const terminal = testTerminal();
    const given = { folder, door: "dynamic", json: true, dataDir: t.dataDir, ...options } as const;
    await importExisting(given, terminal);
    const names = await readdir(folder).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    const files = Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
    return { files, terminal, printed: JSON.parse(terminal.printed.out || "{}") };
  };

  it("writes nothing where nothing exists", async () => {
    const { files, terminal } = await write({ nameContains: "nothing" });
    expect(files).to.deep.equal({});
    expect(terminal.printed.err).to.contain("nothing to import: no file was written");
  });

  it("declares what matters, with references, and names values that it does not hold", async () => {
    const spec = { cpu: 1, memory_mb: 512, cpu_limit: 2, volumes: [{ name: "a", emptyDir: {} }] };
    await t.create({
      name: "default",
      source: "external_container",
      source_config: { resource_spec: spec, listener_id: t.listenerId },
      source_revision_config: { image_uri: "registry.example.com/agent:1" },
      secrets: [
        { name: "MODEL_API_KEY", value: SECRET },
        { name: "with.dot", value: "" },
      ],
    });
    await t.create({ name: "shared", secrets: [{ name: "MODEL_API_KEY", value: SECRET }] });
    const { files, printed } = await write();
    expect(Object.values(files).join("\n")).not.to.contain("CANARY");
    expect(files["index.ts"]).to.equal(`import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

const config = new pulumi.Config();

// Each resource adopts what exists. Set this to false when the first \`pulumi up\` has run.
const adoptExisting = true;

const local = new agentserver.Listener("local", {
  computeType: "k8s",
  computeId: "local",
  computeConfig: { k8sNamespaces: ["default", "agents"] },
  adoptExisting,
});

new agentserver.Deployment("default", {
  name: "default",
  source: "external_container",
  sourceConfig: {
    listenerId: local.id,
    resourceSpec: { cpu: 1, memoryMb: 512, volumes: [{ name: "a", emptyDir: {} }] },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  secrets: {
    MODEL_API_KEY: config.requireSecret("MODEL_API_KEY"),
    "with.dot": config.requireSecret("default-with-dot"),
  },
  adoptExisting,
});

new agentserver.Deployment("shared", {
  name: "shared",
  source: "git_host",
  sourceConfig: {
    integrationId: "${t.integrationId}",
    repoUrl: "https://git.example.com/acme/support.git",
    deploymentType: "dev",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  secrets: { MODEL_API_KEY: config.requireSecret("MODEL_API_KEY") },
  adoptExisting,
});
`);
    expect(printed.settings).to.deep.equal([
      {
        key: "MODEL_API_KEY",
        variables: [
          { deployment: "default", name: "MODEL_API_KEY" },
          { deployment: "shared", name: "MODEL_API_KEY" },
        ],
      },
      { key: "default-with-dot", variables: [{ deployment: "default", name: "with.dot" }] },
    ]);
    expect(files["README.md"]).to.contain("- `default-with-dot`: with.dot of default");
  });

  it("writes no mask into the configuration, and names the deployment whose variables are not shown", async () => {
    const secrets = ["A", "B"].map((name, at) => ({ name, value: at === 0 ? "shown" : "****" }));
    await t.create({ name: "masked", secrets });
    const { files, printed } = await write({ nameContains: "masked" });
    expect(printed.settings).to.deep.equal([]);
    expect(files["index.ts"]).to.contain('"masked"').and.not.contain("secrets");
    expect(printed.leftOut.join()).to.contain("variables of deployment 'masked', whose values");
    expect(files["README.md"]).to.contain("variables of deployment 'masked'");
  });

  it("writes what pulumi import reads for the native provider, of the deployments alone whose name contains a text", async () => {
    const { files } = await write({ door: "native", nameContains: "fault" });
    const [found] = (await t.deployments()).filter(({ name }) => name === "default");
    expect(JSON.parse(files["import.json"] ?? "")).to.deep.equal({
      resources: [{ type: "agentserver:index:Deployment", name: "default", id: found?.id }],
    });
    expect(files["index.ts"])
      .to.contain('from "pulumi-agentserver/native"')
      .and.contain(`listenerId: "${t.listenerId}"`)
      .and.not.contain("adoptExisting");
    expect(files["Pulumi.yaml"]).to.contain("path: ./node_modules/pulumi-agentserver/dist/plugin");
  });

  it("lets nothing that a control plane says become code of the program", () => {
    for (const code of [
      '"; hacked(); "',
      "\n\u2028\rhacked();",
      "${hacked()}`",
      "*/ hacked() /*",
    ]) {
      const inputs = { [code]: code, secrets: { [code]: code }, sourceConfig: { list: [code] } };
      const found = {
        kind: "Deployment",
        type: "t",
        importId: code,
        id: code,
        name: code,
      } as const;
      for (const door of DOORS) {
        const all = [{ ...found, inputs, problems: [code] }];
        const { files } = importedProject("imported", door, all, undefined);
        const names = new Set<string>();
        const visit = (node: ts.Node): void => {
          if (ts.isIdentifier(node)) names.add(node.text);
          ts.forEachChild(node, visit);
        };
        visit(ts.createSourceFile("index.ts", files["index.ts"] ?? "", ts.ScriptTarget.Latest));
        expect([...names])
          .to.include("Deployment")
          .and.not.include("hacked");
      }
    }
  });

  it("never writes over a file", async () => {
    const { files } = await write();
    const { message } = await rejection(write({ door: "native" }));
    expect(message).to.contain("imported has files in it, which an import never overwrites");
    expect((await readdir(join(home, "imported"))).length).to.equal(Object.keys(files).length);
  });

  it("names what a control plane does not offer, and what a preview would refuse", async () => {
    await t.create({
      name: "pinned",
      source_revision_config: { repo_ref: "a".repeat(40), graph_config_path: "g.json" },
    });
    t.platform.admin.addFault({
      match: { path: "/v2/listeners" },
      times: 1,
      action: "status",
      status: 404,
      body: { detail: "Not Found" },
    });
    const { printed, files } = await write();
    expect(printed.leftOut).to.include("listeners are not offered by this control plane");
    expect(printed.problems).to.have.lengthOf(1);
    expect(printed.problems[0].problem).to.contain("is a commit");
    expect(files["index.ts"])
      .to.contain("// TODO: the preview refuses this: sourceRevisionConfig.repoRef")
      .and.contain(`listenerId: "${t.listenerId}"`);
    expect(files["README.md"]).to.contain("- deployment pinned: sourceRevisionConfig.repoRef");
  });
});
