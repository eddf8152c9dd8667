import { expect } from "chai";
import { readFile } from "node:fs/promises";
import { printAssistants } from "../../cli/assistants/list";
import { deleteDeployment } from "../../cli/deployments/delete";
import { importExisting } from "../../cli/import/import";
import { printList } from "../../cli/deployments/list";
import { printStatus } from "../../cli/deployments/status";
import { redeploy } from "../../cli/deployments/redeploy";
import { LogReader } from "../../cli/deployments/log-reader";
import { printLogs } from "../../cli/deployments/logs";
import { diagnose } from "../../cli/doctor/doctor";
import { CommandFailure } from "../../cli/failure";
import { listThreads } from "../../cli/threads/commands";
import { writeIdentity } from "../../local/platform/identity-file";
import { ControlPlane } from "../../sdk";
import { defaultAssistantId } from "../../sdk/schema";
import { systemClock } from "../../shared/clock";
import { aDeployment, aRevision } from "../support/builders";
import { json, type Received, type TestServer, useServers } from "../support/http";
import { reasonOf, rejection } from "../support/rejection";
import { testTerminal } from "./terminal";
import { useFolder } from "../local/children";
import { inTokyo } from "../support/time-zone";

const DEPLOYMENT = aDeployment();
const REVISION = aRevision();
const ID = DEPLOYMENT.id;
const AT = "2026-01-01T00:00:00Z";
const OWN = "0b7c7a52-3a3e-4b0e-9a43-1f2c83f0b0a1";

/** The body that answers a request, the page of a proxy, or the status of a refusal; undefined for the path's usual answer. */
type Answer = (request: Received) => unknown;

describe("the commands against a control plane that misbehaves", () => {
  const serve = useServers();
  let server: TestServer;
  const dataDir = useFolder();
  let answer: Answer;

  beforeEach(async () => {
    answer = () => undefined;
    server = await serve((request, response) => {
      const body = answer(request) ?? usual(request.url);
      if (typeof body === "string") response.writeHead(502).end(body);
      else if (typeof body === "number") json(response, body, { detail: "no" });
      else json(response, 200, body);
    });
    writeIdentity(dataDir(), identity(server.url), []);
  });
  afterEach(() => void Object.assign(systemClock, { random: Math.random }));

  const identity = (url: string) => {
    const keys = { apiKey: "key", adminKey: "key", workspaceId: "workspace" };
    return { url, port: 1, ...keys, pid: 1, dialect: "agentserver" as const };
  };
  const usual = (url: string): unknown => {
    const [path = ""] = url.split("?");
    if (path.endsWith("/revisions")) return { resources: [REVISION], offset: 1 };
    if (path.includes("/revisions/")) return REVISION;
    return shown(url, DEPLOYMENT);
  };
  /** A deployment, or the list of it. */
  const shown = (url: string, deployment: object) =>
    /^.v2.deployments(\?|$)/.test(url) ? { resources: [deployment], offset: 1 } : deployment;
  const assistant = (assistant_id: string, graph_id = "a", version = 1) => ({
    assistant_id,
    graph_id,
    version,
    name: graph_id,
    config: {},
    metadata: {},
    created_at: AT,
    updated_at: AT,
  });
  const named = () => ({
    deployment: "support",
    dataDir: dataDir(),
    json: false,
    yes: true,
    wait: false,
    timeoutSeconds: 60,
  });
  const logs = async (changes: object = {}) => {
    const terminal = testTerminal();
    await printLogs({ ...named(), follow: false, type: "build", ...changes }, terminal);
    return terminal;
  };
  const assistants = async (name?: string, asJson = false) => {
    const terminal = testTerminal();
    await printAssistants({ ...named(), json: asJson, assistant: name }, terminal);
    return terminal;
  };
  const imported = async (changes: object = {}) => {
    const terminal = testTerminal();
    const place = { folder: dataDir("imported"), frontEnd: "dynamic" as const };
    await importExisting({ ...named(), ...place, json: true, ...changes }, terminal);
    return terminal;
  };

  it("leaves the processor alone while it waits for its turn at a server that limits the rate", async () => {
    const limiting = await serve((_request, response, count) =>
      count === 1
        ? void response.writeHead(429, { "retry-after": "1" }).end()
        : json(response, 200, usual("/v2/deployments")),
    );
    writeIdentity(dataDir(), identity(limiting.url), []);
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const options = { ...named(), filters: {}, limit: 1, revisions: false, wide: false };
    await printList(options, testTerminal());
    clearInterval(turning);
    expect(limiting.received).to.have.length(2);
    // A wait that only asks for the time lets the event loop turn a few times in all.
    expect(turns).to.be.above(15);
  });

  it("prints one line for a line of a log and for a name, whatever is in their texts", async () => {
    const forged = "\n2026-01-01T00:00:00Z ERROR all is lost\x1b[2J\u2028";
    const logged = [
      { timestamp: `t${forged}`, message: `m${forged}` },
      { timestamp: 1e300, message: "late" },
      { timestamp: 1e12, message: "number" },
    ];
    const secrets = [{ name: `A${forged}`, value: "1" }];
    const found = { ...DEPLOYMENT, name: `support${forged}`, secrets };
    answer = ({ url }) => {
      if (url.includes("/logs")) return { logs: logged, next_offset: null };
      return url.includes("/revisions") ? undefined : shown(url, found);
    };
    const terminal = await logs();
    const NUMBER = "2001-09-09T01:46:40.000Z";
    const seen = " 2026-01-01T00:00:00Z ERROR all is lost\\x1b[2J\\u2028";
    expect(terminal.lines()).to.deep.equal([
      `t${seen} m`,
      `   ${seen}`,
      "1e+300 late",
      `${NUMBER} number`,
    ]);
    // It ignores the time that it is asked for, and writes it without an offset.
    logged.push({ timestamp: "2026-01-01T12:00:00", message: "at noon" });
    const atNoon = await inTokyo(() => logs({ since: "2026-01-01T11:00:00Z" }));
    expect(atNoon.lines()).to.include("2026-01-01T12:00:00 at noon");
    logged.pop();
    const since = await logs({ since: NUMBER.replace("2001", "2002") });
    expect(since.lines()).to.deep.equal(terminal.lines().slice(0, -1));
    const status = testTerminal({ columns: Infinity });
    await printStatus({ ...named(), limit: 10 }, status);
    expect(status.printed.out).to.contain(`variables A${seen}\n`).and.contain(`support${seen} `);
    expect(status.printed.out).not.to.match(/^2026/m);
  });

  for (const [what, changes] of [
    ["newest lines", { tail: 5000 }],
    ["lines", {}],
  ] as const)
    it(`ends a log whose pages never end, of its ${what} too`, async () => {
      let pages = 0;
      answer = ({ url }) => {
        if (!url.includes("/logs")) return undefined;
        pages += 1;
        return { logs: [{ message: "on" }], next_offset: String(pages) };
      };
      const { message } = await rejection(logs(changes));
      expect(message).to.contain("the server returned 1000 pages, and more follow");
      expect(pages).to.equal(1000);
    });

  it("prints all of a log that is followed, what came before a failure and just before the end too", async () => {
    Object.assign(systemClock, { random: () => 0 });
    let [failures, isAsked] = [5, false];
    answer = ({ url }) => {
      isAsked ||= url.endsWith(REVISION.id);
      const isEnd = url.includes("offset=1");
      const isFailing = isEnd && url.includes("order=asc") && failures-- > 0;
      const lines = isEnd && !isAsked ? [] : [{ message: isEnd ? "last" : "first" }];
      if (!url.includes("/logs")) return undefined;
      return isFailing ? 504 : { logs: lines, next_offset: isEnd ? null : "1" };
    };
    const followed = await logs({ follow: true, tail: 2 });
    expect(followed.lines()).to.deep.equal(["first", "last"]);
  });

  it("reads a log on from the last line that it has read, also where the oldest are removed meanwhile", async () => {
    const logged = Array.from("abbcdefgh", (message) => ({ message }));
    let first = 0;
    answer = () => ({ logs: logged.slice(first, first + 3), next_offset: "" });
    const client = new ControlPlane({ baseUrl: server.url, apiKey: "key", workspaceId: "own" });
    const log = { deploymentId: ID, revisionId: REVISION.id, type: "deploy" } as const;
    const reader = new LogReader(client, log, {});
    const readings: string[] = [];
    for (first of [0, 2, 2, 6]) {
      const lines = await Array.fromAsync(reader.lines(), ({ message }) => message);
      readings.push(lines.join(""));
    }
    expect(readings).to.deep.equal(["abb", "cd", "", "fgh"]);
  });

  it("says of a redeployment without an answer that the revision may exist, and of a proxy's page its title", async () => {
    const page = "<html><head><title>Bad Gateway</title></head><p>nginx</html>";
    answer = ({ method }) => (method === "POST" ? page : undefined);
    const { message } = await rejection(redeploy(named(), testTerminal()));
    expect(message).to.equal(
      `redeploy revision '${REVISION.id}': 502 an HTML page, 'Bad Gateway'; the revision may have been created all the same: see \`npx pulumi-agentserver status support --data-dir ${dataDir()}\` before you try again`,
    );
  });

  it("names the revision that a redeployment answers, and the newest where that is still the former one", async () => {
    for (const [latest, created] of [
      [OWN, OWN],
      [DEPLOYMENT.latest_revision_id, ID],
    ] as const) {
      answer = ({ method, url }) => {
        if (url.includes("/revisions?")) return { resources: [{ ...REVISION, id: ID }], offset: 1 };
        return method === "POST" ? { ...DEPLOYMENT, latest_revision_id: latest } : undefined;
      };
      const terminal = testTerminal();
      await redeploy(named(), terminal);
      expect(terminal.lines()[0]).to.contain(`created revision ${created} of`);
    }
  });

  it("says so where the new revision of a redeployment is not shown yet, and waits for that one alone", async () => {
    let read: unknown;
    for (read of [{ resources: [REVISION] }, 500]) {
      answer = ({ method, url }) => {
        if (method === "POST") return DEPLOYMENT;
        return url.includes("/revisions?") ? read : undefined;
      };
      const terminal = testTerminal();
      await redeploy(named(), terminal);
      expect(terminal.lines()[0]).to.equal(
        "redeployed deployment 'support'; its new revision is not shown yet",
      );
      const waited = redeploy({ ...named(), wait: true, timeoutSeconds: 0 }, testTerminal());
      expect(await reasonOf(waited)).to.contain("deployment 'support': timed out after");
    }
  });

  const waiting = { wait: true, timeoutSeconds: 0, limit: 1 };
  const threads = { from: "support", unfinished: false, dryRun: false };
  const NONE = "timed out after 0 s, still no revision yet; run the same command again to wait on";
  const t = testTerminal();
  const lacking: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ["log", () => logs(), "does not have a revision yet"],
    [
      "log of that id",
      () => logs({ revisionId: OWN }),
      `revision ${OWN}; \`npx pulumi-agentserver`,
    ],
    ["revision", () => redeploy(named(), t), "does not have a revision yet"],
    ["assistant", () => assistants(""), "has no URL yet"],
    ["thread", () => listThreads({ ...named(), ...threads }, t), "has no URL yet"],
    ["end of a roll-out", () => printStatus({ ...named(), ...waiting }, t), NONE],
  ];
  for (const [what, work, reason] of lacking)
    it(`says so where there is no ${what} yet`, async () => {
      const lists = { latest_revision_id: null, active_revision_id: null };
      answer = ({ url }) => {
        if (url.includes("/revisions/")) return 404;
        const resources = url.includes("/revisions") ? [] : [{ ...DEPLOYMENT, ...lists }];
        return { ...DEPLOYMENT, resources, offset: 1 };
      };
      const { message } = await rejection(work());
      expect(message).to.contain("deployment 'support'").and.contain(reason);
    });

  it("waits on with a status that it does not know, and ends with the reason where nothing answers any more", async () => {
    let status = "PAUSED";
    answer = ({ url }) => {
      if (!url.includes("/revisions")) return undefined;
      const revision = aRevision({ status });
      status = "DEPLOYED";
      return { resources: [revision], offset: 1 };
    };
    const terminal = testTerminal();
    await printStatus({ ...named(), wait: true, limit: 1 }, terminal);
    expect(terminal.printed.err).to.contain(`revision ${REVISION.id}: PAUSED (`);
    answer = ({ url }) => (url.includes("/revisions") ? "no gateway" : undefined);
    const silent = { ...named(), wait: true, limit: 10, timeoutSeconds: 0 };
    expect(await reasonOf(printStatus(silent, testTerminal()))).to.match(
      /^deployment 'support': timed out .*502.*; run the same command again to wait on$/,
    );
  });

  it("says whether a deployment has no variables, or the control plane does not return them", async () => {
    for (const [secrets, shows] of [
      [[], "none"],
      [undefined, "not returned by this control plane"],
    ] as const) {
      answer = ({ url }) =>
        url.includes("/revisions") ? undefined : shown(url, { ...DEPLOYMENT, secrets });
      const terminal = testTerminal();
      await printStatus({ ...named(), limit: 10 }, terminal);
      expect(terminal.printed.out).to.contain(`  variables ${shows}\n`);
    }
  });

  it("takes no beginning of a name for an agent server with threads", async () => {
    const work = listThreads({ ...named(), ...threads, from: "supp" }, testTerminal());
    expect(await reasonOf(work)).to.contain("the whole name or the id: support");
  });

  it("prints an empty list as JSON where there are no assistants, and a note for people", async () => {
    answer = ({ url }) =>
      url === "/assistants/search" ? [] : shown(url, { ...DEPLOYMENT, url: server.url });
    expect((await assistants(undefined, true)).json()).to.deep.equal([{ assistants: [] }]);
    const { printed } = await assistants();
    expect(printed.out).to.equal("");
    expect(printed.err).to.contain("no assistants");
  });

  it("finds assistants at the URL that older services show, and asks for an id where a name is of several", async () => {
    const older = { ...DEPLOYMENT, source_config: { custom_url: server.url } };
    const metadata = { created_by: "system", pulumi_resource: "shop/dev/a" };
    answer = ({ url }) =>
      url === "/assistants/search"
        ? [{ ...assistant(OWN), metadata }, assistant(ID)]
        : shown(url, older);
    expect((await assistants()).printed.out)
      .to.contain(OWN)
      .and.contain(ID)
      .and.contain("shop/dev/a");
    const several = `several assistants are named 'a': name one by its id: ${OWN}, ${ID}`;
    expect(await reasonOf(assistants("a"))).to.equal(several);
  });

  it("says of a deployment that its URL cannot be used, and imports it all the same", async () => {
    const wrong = { ...DEPLOYMENT, url: "agents.example.com" };
    answer = ({ url }) => (url.includes("/revisions") ? undefined : shown(url, wrong));
    const reason =
      "connect to agent server: its URL, as the control plane names it, is not a valid URL; write it as https://host or https://host/path";
    expect(await reasonOf(assistants())).to.equal(reason);
    const terminal = await imported({ nameContains: "support" });
    const leftOut = [`assistants and crons of deployment 'support' were not read: ${reason}`];
    expect(terminal.json()[0]).to.deep.include({ leftOut });
  });

  it("names no setting of the control plane where an agent server does not answer, and no password of its URL", async () => {
    answer = ({ url }) => shown(url, { ...DEPLOYMENT, url: "http://127.0.0.1:9" });
    expect(await reasonOf(assistants())).to.match(/^search assistants: no connection .*:9$/);
    const from = "https://me:CANARY@agents.example.com";
    const listed = listThreads({ ...named(), ...threads, from }, testTerminal());
    expect(await reasonOf(listed)).to.equal("--from: contains a user name or password");
  });

  it("says of the key of agent servers that a header can't carry it", async () => {
    answer = ({ url }) => shown(url, { ...DEPLOYMENT, url: server.url });
    process.env["AGENTSERVER_AGENT_API_KEY"] = "key ";
    const terminal = testTerminal();
    const works = [
      assistants(),
      imported({ nameContains: "support" }),
      diagnose(named(), terminal),
    ];
    const ends = await Promise.allSettled(works);
    delete process.env["AGENTSERVER_AGENT_API_KEY"];
    for (const end of ends.slice(0, 2)) {
      const error: unknown = end.status === "rejected" ? end.reason : undefined;
      expect(error).to.be.instanceOf(CommandFailure);
      expect(String(error)).to.contain(": AGENTSERVER_AGENT_API_KEY begins or ends with a blank");
    }
    expect(terminal.printed.out).to.contain("settings: AGENTSERVER_AGENT_API_KEY begins");
  });

  it("only waits for a deployment that is being deleted already", async () => {
    for (const status of ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"]) {
      answer = ({ url }) => (url.includes("?") ? shown(url, { ...DEPLOYMENT, status }) : 404);
      const terminal = testTerminal();
      await deleteDeployment(named(), terminal);
      expect(terminal.printed.out, status).to.equal("deleted deployment 'support'\n");
    }
    expect(server.received.map(({ method }) => method)).not.to.include("DELETE");
  });

  it("waits for a deletion until its timeout, and says how to continue", async () => {
    const work = deleteDeployment({ ...named(), timeoutSeconds: 0 }, testTerminal());
    const late = /^delete deployment 'support': .*; run the same command again to wait on$/;
    expect(await reasonOf(work)).to.match(late);
    expect(server.received.map(({ method }) => method)).to.include("DELETE");
  });

  for (const { title, refusal, rest, failure } of [
    { title: "forbidden", refusal: 403, rest: 200, failure: /^delete deployment '.*': 403 no/ },
    { title: "in conflict", refusal: 409, rest: 200, failure: /^delete deployment '.*': 409 no/ },
    { title: "gone already", refusal: 404, rest: 404, failure: undefined },
    { title: "done, and a read is forbidden", refusal: 204, rest: 403, failure: undefined },
    { title: "done, and its URL is gone for good", refusal: 204, rest: 410, failure: undefined },
  ])
    it(`waits after a deletion that is ${title} only where it is one`, async () => {
      const reads = { count: 0 };
      answer = ({ method, url }) => {
        if (method === "DELETE") return refusal;
        if (url.startsWith("/v2/deployments?")) return undefined;
        reads.count += 1;
        return rest === 200 ? undefined : rest;
      };
      const terminal = testTerminal();
      const work = deleteDeployment(named(), terminal);
      if (failure) expect(await reasonOf(work)).to.match(failure);
      else await work;
      expect(terminal.printed.out).to.equal(failure ? "" : "deleted deployment 'support'\n");
      expect(reads.count).to.equal(rest === 200 ? 0 : 1);
    });

  for (const path of ["/v2/listeners", "/v2/auth/providers"])
    it(`fails an import where ${path} is refused`, async () => {
      answer = ({ url }) => (url.startsWith(path) ? 403 : { resources: [], offset: 0 });
      expect(await reasonOf(imported())).to.match(/^list .*: 403 no/);
    });

  it("imports the assistants that people have made or changed, not those of the server", async () => {
    const [changed, left] = [defaultAssistantId("a"), defaultAssistantId("c")];
    const all = [assistant(left, "c", 1), assistant(changed, "a", 2), assistant(OWN, "a", 1)];
    const metadata = { pulumi_cron: "shop/prod/c" };
    const cron = { ...assistant(OWN), cron_id: OWN, schedule: "0 0 1 1 *", metadata };
    let info: object = { flags: { crons: true } };
    answer = ({ url }) => {
      if (url === "/assistants/search") return all;
      if (url === "/info") return info;
      if (url.startsWith("/runs/crons")) return url.endsWith("/search") ? [cron] : cron;
      const found = all.find(({ assistant_id }) => url === `/assistants/${assistant_id}`);
      if (found) return found;
      const deployments = [
        { ...DEPLOYMENT, source_config: { custom_url: server.url } },
        { ...DEPLOYMENT, id: OWN, name: "support-old", status: "AWAITING_DELETE" },
      ];
      return url.startsWith("/v2/deployments?") ? { resources: deployments, offset: 1 } : undefined;
    };
    const options = { nameContains: "support" };
    process.env["AGENTSERVER_AGENT_API_KEY"] = "of-agents";
    const terminal = await imported(options).finally(() => {
      delete process.env["AGENTSERVER_AGENT_API_KEY"];
    });
    const program = await readFile(dataDir("imported/index.ts"), "utf8");
    expect(program).to.contain(changed).and.contain(OWN).and.not.contain(left);
    expect(program).to.contain('("agentServerApiKey")').and.not.contain("of-agents");
    const asked = server.received.find(({ url }) => url === "/assistants/search");
    expect(asked?.headers["x-api-key"]).to.equal("of-agents");
    const leftOut = [
      `cron ${OWN} of deployment 'support': use \`--front-end native\` to import it`,
      "deployment 'support-old' is being deleted",
    ];
    expect(terminal.json()[0]).to.have.property("leftOut").that.has.members(leftOut);
    const folder = dataDir("imported-native");
    const native = await imported({ ...options, folder, frontEnd: "native" });
    expect(native.printed.err).to.contain("of deployment 'support' is managed as shop/prod/c\n");
    info = {};
    await imported({ ...options, folder: dataDir("older"), frontEnd: "native" });
    expect(await readFile(dataDir("older/index.ts"), "utf8")).not.to.contain("Cron(");
  });
});
