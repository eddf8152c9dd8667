import { expect } from "chai";
import { CommandLine } from "../../cli/command-line";
import { addDeleteCommand } from "../../cli/commands/delete";
import { addAssistantsCommand } from "../../cli/commands/assistants";
import { addDoctorCommand } from "../../cli/commands/doctor";
import { addEnvCommand } from "../../cli/commands/env";
import { addImportCommand } from "../../cli/commands/import";
import { addInterruptCommand } from "../../cli/commands/interrupt";
import { addListCommand } from "../../cli/commands/list";
import { addLocalCommand } from "../../cli/commands/local";
import { addLogsCommand } from "../../cli/commands/logs";
import { addOpenCommand } from "../../cli/commands/open";
import { addRedeployCommand } from "../../cli/commands/redeploy";
import { addStatusCommand } from "../../cli/commands/status";
import { addThreadsCommand } from "../../cli/commands/threads";
import { CommandFailure } from "../../cli/failure";
import { DRIVER_NAMES } from "../../local/drivers";
import { DeploymentFilters } from "../../sdk/schema";

const COMMANDS = [
  [addListCommand, addStatusCommand, addLogsCommand, addRedeployCommand, addInterruptCommand],
  [addDeleteCommand, addAssistantsCommand, addEnvCommand, addImportCommand, addDoctorCommand],
].flat();

/** Runs a command line whose commands only note what they are asked for; its words are separated by spaces. */
async function run(line: string) {
  const result = { exitCode: -1, stdout: "", stderr: "", calls: new Array<unknown>() };
  const commandLine = new CommandLine({
    out: (text) => (result.stdout += text),
    err: (text) => (result.stderr += text),
  });
  const noteCall = async (options: object) => void result.calls.push(options);
  addLocalCommand(
    commandLine,
    async (options, json) => void result.calls.push({ options, json }),
    async (options) => void result.calls.push({ stop: options }),
    async (options) => void result.calls.push({ reset: options }),
  );
  for (const add of COMMANDS) add(commandLine, noteCall);
  addOpenCommand(commandLine, noteCall);
  addThreadsCommand(commandLine, (name, options) => noteCall({ name, ...options }));
  result.exitCode = await commandLine.run(line.split(" ").filter((word) => word !== ""));
  return result;
}

/** The words of a line that name its command. */
const commandOf = (line: string) => /^threads \w+|^\S*/.exec(line)?.[0] ?? "";

const ID = "11111111-1111-4111-8111-111111111111";
const WHERE =
  "--base-url https://a.example.com --workspace-id w --dialect langsmith --self-hosted --allow-insecure-http --data-dir D";
const FOUND = {
  baseUrl: "https://a.example.com",
  workspaceId: "w",
  dialect: "langsmith",
  selfHosted: true,
  allowInsecureHttp: true,
  dataDir: "D",
};

describe("cli/command-line", () => {
  it("reads every option of local", async () => {
    const { calls, exitCode } = await run(
      "local --port 0 --data-dir D --driver simulated --agent-server built-in --stage-seconds 0.5 " +
        "--dialect langsmith --hosting self-hosted --max-servers 3 --listen 0.0.0.0 --agent-auth --json " +
        "--allow-origin http://localhost:3000 --allow-origin https://chat.example.com",
    );
    expect(exitCode).to.equal(0);
    const options = {
      port: 0,
      dataDir: "D",
      driver: "simulated",
      agentServer: "built-in",
      stageSeconds: 0.5,
      dialect: "langsmith",
      hosting: "self-hosted",
      maxServers: 3,
      listen: "0.0.0.0",
      agentAuth: true,
      allowOrigins: ["http://localhost:3000", "https://chat.example.com"],
    };
    expect(calls).to.deep.equal([{ json: true, options }]);
  });

  it("reads local stop and local reset, also with the folder before the word", async () => {
    const nothing = { dataDir: undefined, json: false };
    expect((await run("local stop")).calls).to.deep.equal([{ stop: nothing }]);
    const stop = { dataDir: "D", json: true };
    expect((await run("local stop --data-dir D --json")).calls).to.deep.equal([{ stop }]);
    expect((await run("local --data-dir D stop --json")).calls).to.deep.equal([{ stop }]);
    expect((await run("local reset")).calls).to.deep.equal([{ reset: { ...nothing, yes: false } }]);
    const reset = { dataDir: "D", json: true, yes: true };
    expect((await run("local reset --data-dir D --json --yes")).calls).to.deep.equal([{ reset }]);
  });

  it("reads every option of open", async () => {
    const options = { deployment: "a", dataDir: "D", browser: false };
    expect((await run("open a --data-dir D --no-browser")).calls).to.deep.equal([options]);
  });

  it("takes the least and the greatest value of a number", async () => {
    const { calls } = await run("local --port 65535 --stage-seconds 0 --max-servers 1");
    const options = { port: 65_535, stageSeconds: 0, maxServers: 1 };
    expect(calls[0]).to.have.property("options").that.includes(options);
  });

  const FILTERED =
    "--from a --status idle --metadata of=42 --metadata b=c=d --metadata e= --metadata f=two\nlines --updated-after 2026-01-02T03:04Z";
  const FILTERS = {
    from: "a",
    status: "idle",
    metadata: { of: "42", b: "c=d", e: "", f: "two\nlines" },
    updatedAfter: new Date("2026-01-02T03:04Z"),
  };
  const NAMED = { deployment: "support", revisionId: ID, yes: true };
  const EVERY: readonly (readonly [line: string, options: object])[] = [
    [
      `list --name-contains x --status READY --type dev --image-version 1 --id ${ID} --id ${ID} --tag-value-id a --remote-reconciled --no-revisions --wide --limit 3`,
      {
        limit: 3,
        revisions: false,
        wide: true,
        filters: {
          name_contains: "x",
          status: "READY",
          deployment_type: "dev",
          image_version: "1",
          deployment_ids: [ID, ID],
          tag_value_ids: ["a"],
          remote_reconciled: true,
        },
      },
    ],
    [
      "status support --wait --timeout 5 --limit 3",
      { deployment: "support", wait: true, timeoutSeconds: 5, limit: 3 },
    ],
    [
      `logs support --revision ${ID} --type server --follow --since 10m --tail 5`,
      {
        deployment: "support",
        revisionId: ID,
        type: "server",
        follow: true,
        since: "10m",
        tail: 5,
      },
    ],
    [
      `redeploy support --revision ${ID} --yes --wait --timeout 5`,
      { ...NAMED, wait: true, timeoutSeconds: 5 },
    ],
    [`interrupt support --revision ${ID} --yes`, NAMED],
    ["delete support --yes --timeout 5", { deployment: "support", yes: true, timeoutSeconds: 5 }],
    ["env --shell fish --pulumi dev", { shell: "fish", pulumi: "dev" }],
    [
      "import new --name-contains sup --front-end native --env A --env B --pulumi prod",
      { folder: "new", nameContains: "sup", frontEnd: "native", env: ["A", "B"], pulumi: "prod" },
    ],
    ["doctor", {}],
    [
      `threads copy --to b --unfinished --dry-run ${FILTERED}`,
      { name: "copy", to: "b", ...FILTERS, unfinished: true, dryRun: true },
    ],
    [
      `threads export F ${FILTERED}`,
      { name: "export", file: "F", ...FILTERS, unfinished: false, dryRun: false },
    ],
    [
      "threads import F --to b --unfinished --dry-run",
      { name: "import", file: "F", to: "b", unfinished: true, dryRun: true },
    ],
  ];
  for (const [line, options] of EVERY)
    it(`reads every option of ${commandOf(line)}`, async () => {
      const { calls, stderr } = await run(`${line} ${WHERE} --json`);
      expect(stderr).to.equal("");
      expect(calls).to.deep.equal([{ ...FOUND, json: true, ...options }]);
    });

  it("reads the short names of options that are typed often", async () => {
    expect((await run("logs a -f")).calls).to.have.nested.property("[0].follow", true);
    expect((await run("delete a -y")).calls).to.have.nested.property("[0].yes", true);
  });

  const NO_FILTERS = Object.fromEntries(
    Object.keys(DeploymentFilters.shape).map((name) => [name, undefined]),
  );
  const LISTED = { filters: NO_FILTERS, revisions: true, wide: false };
  const ONE = { deployment: "a", revisionId: undefined };
  const DEFAULTS: readonly (readonly [line: string, options: object])[] = [
    ["list", { limit: 100, ...LISTED }],
    ["list --json", { limit: Number.POSITIVE_INFINITY, ...LISTED, json: true }],
    ["status a", { deployment: "a", wait: false, timeoutSeconds: 1800, limit: 10 }],
    ["logs a", { ...ONE, follow: false }],
    ["redeploy a", { ...ONE, yes: false, wait: false, timeoutSeconds: 1800 }],
    ["interrupt a", { ...ONE, yes: false }],
    ["delete a", { deployment: "a", yes: false, timeoutSeconds: 1800 }],
    ["assistants a", { deployment: "a", assistant: undefined }],
    ["assistants a b", { deployment: "a", assistant: "b" }],
    ["env", {}],
    ["import", { folder: "imported", frontEnd: "dynamic" }],
    ["doctor", {}],
  ];
  for (const [line, options] of DEFAULTS)
    it(`needs no option for ${line.split(" ")[0]}`, async () => {
      expect((await run(line)).calls).to.deep.equal([{ json: false, ...options }]);
    });

  describe("--help", () => {
    const OPTIONS: Readonly<Record<string, string>> = {
      local:
        "port data-dir driver agent-server stage-seconds dialect hosting max-servers listen agent-auth allow-origin json",
      "local stop": "data-dir json",
      "local reset": "data-dir yes json",
      open: "data-dir no-browser",
      ...Object.fromEntries(
        EVERY.map(([line]) => [
          commandOf(line),
          [
            ...new Set([...`--json ${WHERE} ${line}`.matchAll(/--(\S+)/g)].map(([, name]) => name)),
          ].join(" "),
        ]),
      ),
    };
    for (const [command, names] of Object.entries(OPTIONS))
      it(`explains every option of ${command}, with an example`, async () => {
        const { stdout, exitCode, calls } = await run(`${command} --help`);
        expect([exitCode, calls]).to.deep.equal([0, []]);
        const explained = [...stdout.matchAll(/^ {2}(?:-[^h], )?--(\S+)( <\w+>)? +\S/gm)];
        expect(explained.map(([, name]) => name)).to.have.members(names.split(" "));
        expect(stdout).to.match(new RegExp(`Example:\n  \\$ pulumi-agentserver ${command}\\b`));
        for (const line of stdout.split("\n")) expect(line.length, line).to.be.at.most(80);
      });

    it("has no option for a key: every user of the machine sees a command line", () => {
      for (const names of Object.values(OPTIONS))
        expect(names).not.to.match(/key|token|secret|password/);
    });
  });

  it("prints the version", async () => {
    const { stdout, exitCode } = await run("local --version");
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    expect(exitCode).to.equal(0);
  });

  describe("refuses, with exit code 2,", () => {
    async function problems(line: string): Promise<string[]> {
      const { exitCode, stderr, stdout, calls } = await run(line);
      expect([exitCode, stdout, calls]).to.deep.equal([2, "", []]);
      return stderr.trimEnd().split("\n");
    }
    const PORT = "error: --port must be a port, 0 to 65535, not";
    const SECONDS = "error: --stage-seconds must be a number of seconds, 0 or more, not";
    const COUNT = "error: --max-servers must be a whole number from 1, not";
    const ORIGIN = "error: --allow-origin must be an origin, such as http://localhost:3000, not";
    const WRONG: readonly (readonly [line: string, ...problems: string[]])[] = [
      ["local --port 65536", `${PORT} '65536'`],
      ["local --port 8x", `${PORT} '8x'`],
      ["local --port=", `${PORT} ''`],
      ["local --port", "error: option '--port <port>' argument missing"],
      ["local --port 1 --port 2", "error: --port is set twice"],
      ["local --data-dir=", "error: --data-dir must be a folder, not ''"],
      ["local --stage-seconds -1", `${SECONDS} '-1'`],
      ["local --driver other", `error: --driver must be ${DRIVER_NAMES.join(" or ")}, not 'other'`],
      ["local --dialect other", "error: --dialect must be agentserver or langsmith, not 'other'"],
      ["local --hosting mine", "error: --hosting must be cloud or self-hosted, not 'mine'"],
      ["local --max-servers 0", `${COUNT} '0'`],
      ["local --json=yes", "error: unknown option '--json=yes'"],
      ["local --allow-origin *", `${ORIGIN} '*'`],
      ["local --prot 1", "error: unknown option '--prot'", "(Did you mean --port?)"],
      ["local remote", "error: unexpected argument 'remote'"],
      ["logs", "error: missing required argument 'deployment'"],
      ["logs support more", "error: unexpected argument 'more'"],
      ["logs support --type agent", "error: --type must be build or deploy or server, not 'agent'"],
      ["logs support --revision newest", "error: --revision must be a UUID, not 'newest'"],
      [
        "logs support --since soon",
        "error: --since must be a time span, such as 45s, 10m, 2h or 3d, or a time in ISO 8601, not 'soon'",
      ],
      ["list --base-url here", "error: --base-url must be a URL, such as https://host, not 'here'"],
      ["list --status=", "error: --status must be a string that is not empty, not ''"],
      ["list --id x", "error: --id must be a UUID, not 'x'"],
      ["list --limit 0", "error: --limit must be a whole number from 1, not '0'"],
      ["list --limit 1.5", "error: --limit must be a whole number from 1, not '1.5'"],
      [
        "threads list --from a --status done",
        "error: --status must be idle or busy or interrupted or error, not 'done'",
      ],
      ["status", "error: missing required argument 'deployment'"],
      ["env --shell cmd", "error: --shell must be sh or fish or powershell, not 'cmd'"],
      ["env --api-key k", "error: unknown option '--api-key'"],
    ];
    for (const [line, ...expected] of WRONG)
      it(line, async () => {
        const help = `see \`pulumi-agentserver ${commandOf(line)} --help\``;
        expect(await problems(line)).to.deep.equal([...expected, help]);
      });

    it("a command that it does not know, and suggests the nearest", async () => {
      expect(await problems("lcoal")).to.deep.equal([
        "error: unknown command 'lcoal'",
        "(Did you mean local?)",
        "see `pulumi-agentserver --help`",
      ]);
    });

    it("a line without a command, and prints the help", async () => {
      expect((await problems(""))[0]).to.equal("Usage: pulumi-agentserver [options] [command]");
    });

    it("every wrong value and argument at once, also beside an unknown option", async () => {
      const wrong = "--port x --driver y --hosting z --max-servers 0";
      expect(await problems(`local more again ${wrong}`)).to.have.lengthOf(7);
      expect(await problems(`local --nonsense ${wrong}`)).to.have.lengthOf(6);
    });

    it("an argument with control characters, which are escaped", async () => {
      const unexpected = String.raw`error: unexpected argument '\x1b[2J'`;
      expect((await problems("local \x1b[2J"))[0]).to.equal(unexpected);
    });
  });

  it("reports why a command failed, with exit code 1, and throws what is not a failure", async () => {
    const stderr: string[] = [];
    const fail = async (error: Error) => {
      const line = new CommandLine({ out: () => {}, err: (text) => stderr.push(text) });
      addLocalCommand(line, () => Promise.reject(error));
      return line.run(["local"]);
    };
    expect(await fail(new CommandFailure("port 8123 is taken"))).to.equal(1);
    expect(stderr).to.deep.equal(["error: port 8123 is taken\n"]);
    const bug = new TypeError("a bug");
    expect(await fail(bug).catch((error: unknown) => error)).to.equal(bug);
  });
});
