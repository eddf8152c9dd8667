import { expect } from "chai";
import { assistantLifecycle } from "../../provider/assistant/operations";
import { cronLifecycle } from "../../provider/cron/operations";
import { known } from "../../provider/arguments/decode";
import { declaredBy } from "../../provider/deployment/declared/declared";
import { awaitRollout } from "../../provider/deployment/rollout/await";
import { followRevision } from "../../provider/deployment/rollout/follow";
import { smokeCheckFailure } from "../../provider/deployment/rollout/smoke-check";
import { waitUntilGone } from "../../provider/deployment/service/deletion";
import { gateFailure, gateIn } from "../../provider/gate/gate";
import type { Operation } from "../../provider/resource/operation";
import { progressOf } from "../../provider/resource/progress";
import { threadLifecycle } from "../../provider/thread/operations";
import { AgentServer } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { aDeployment, aRevision } from "../support/builders";
import { accepted, aTarget } from "../support/deployment";
import { json, startServer, type TestServer } from "../support/http";
import { GIT_INPUTS } from "../support/inputs";
import { contextOf } from "../support/lifecycle";
import { anOperation } from "../support/operation";
import { answer, question } from "../support/runs";

const ID = "0b7c7a52-3a3e-4b0e-9a43-1f2c83f0b0a1";
const OTHER = "0b7c7a52-3a3e-4b0e-9a43-1f2c83f0b0a2";
const AT = "2026-01-01T00:00:00Z";
const THREAD = { thread_id: ID, created_at: AT, updated_at: AT, metadata: {}, status: "idle" };
/** What a followed revision answers, one read after the other: not there yet, then every case that asks for more. */
const STATUSES = ["", "SKIPPED", "DEPLOYED", "DEPLOYED"];

const shape = (method: string, url: string): string =>
  `${method} ${url.replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}/g, ":id")}`;

type Wait = (operation: Operation, url: string) => Promise<unknown>;

const follow: Wait = (operation) =>
  followRevision(operation, ID, {
    until: "active",
    timeoutMs: 600_000,
    lastLine: async () => "",
    progress: progressOf(operation),
  }).then(({ isCancelled }) => (isCancelled ? "cancelled" : "ended"));
const firstRevision: Wait = (operation) =>
  awaitRollout(operation, aTarget(GIT_INPUTS), accepted(aDeployment(), null));
const deletion: Wait = (operation) => waitUntilGone(operation, 600, "delete deployment");
const smokeCheck: Wait = async (operation, url) => {
  const check = known(declaredBy({ smokeCheck: { timeoutSeconds: 600 } }).smokeCheck);
  return check && (await smokeCheckFailure(operation, check, url))?.problem;
};
const gate: Wait = async (operation, url) => {
  const asked = gateIn({ runs: [{ input: question("?"), expect: { contains: "!" } }] });
  const server = new AgentServer({ url });
  const about = { server, assistantId: "agent", owner: "", redacted: (text: string) => text };
  return asked && (await gateFailure({ ...about, gate: asked }, operation))?.join();
};
const contextAt = (url: string, { clock, signal }: Operation) => ({
  ...contextOf({ url, apiKey: "key", workspaceId: "w" }),
  clock,
  signal,
});
const thread: Wait = (operation, url) =>
  threadLifecycle.create({ deploymentUrl: url }, contextAt(url, operation));
const assistant: Wait = (operation, url) =>
  assistantLifecycle.create(
    { deploymentUrl: url, assistantId: ID, graphId: "agent", name: "a" },
    contextAt(url, operation),
  );
const cron: Wait = (operation, url) =>
  cronLifecycle.create(
    { deploymentUrl: url, assistantId: ID, schedule: "@daily" },
    contextAt(url, operation),
  );

/** The request that is under way when the run is cancelled: the nth one of this shape. */
const ROWS: [title: string, wait: Wait, request: string, nth: number][] = [
  ["a roll-out, its revision", follow, "GET /v2/deployments/:id/revisions/:id", 1],
  ["a roll-out, the deployment of no revision", follow, "GET /v2/deployments/:id", 1],
  ["a roll-out, a newer revision", follow, "GET /v2/deployments/:id/revisions", 1],
  ["a roll-out, the deployment that serves", follow, "GET /v2/deployments/:id", 2],
  ["a roll-out, the order of revisions", follow, "GET /v2/deployments/:id/revisions", 2],
  ["a first revision", firstRevision, "GET /v2/deployments/:id/revisions", 1],
  ["a deletion", deletion, "GET /v2/deployments/:id", 1],
  ["a smoke check, its thread", smokeCheck, "POST /threads", 1],
  ["a smoke check, its state", smokeCheck, "GET /threads/:id/state", 1],
  ["a gate, the server's information", gate, "GET /info", 1],
  ["a gate, its thread", gate, "POST /threads", 1],
  ["a gate, its run", gate, "POST /threads/:id/runs/wait", 1],
  ["a gate, the threads of others", gate, "POST /threads/search", 1],
  ["a gate, a thread that another has left", gate, "DELETE /threads/:id", 2],
  ["a thread, what is there", thread, "GET /threads/:id", 1],
  ["an assistant, what is there", assistant, "GET /assistants/:id", 1],
  ["an assistant, its versions", assistant, "POST /assistants/:id/versions", 1],
  ["a cron, the server's information", cron, "GET /info", 1],
  ["a cron, what is there", cron, "POST /runs/crons/search", 1],
];

describe("a run that is cancelled ends what is waited for at once, whatever request is under way", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  const ANSWERS: Readonly<Record<string, unknown>> = {
    "GET /v2/deployments/:id/revisions": { resources: [aRevision({ id: OTHER }), aRevision()] },
    "GET /v2/deployments/:id": aDeployment(),
    "POST /threads": THREAD,
    "POST /threads/:id/runs/wait": answer("!"),
    "POST /threads/search": [{ ...THREAD, created_at: "2020-01-01T00:00:00Z" }],
  };
  const scripted = (asked: string, before: number): [number, unknown] => {
    const status = STATUSES[before] ?? "DEPLOYED";
    const isRevision = asked === "GET /v2/deployments/:id/revisions/:id";
    if (isRevision && status) return [200, aRevision({ id: ID, status })];
    if (isRevision) return [404, { detail: "Revision not found" }];
    if (asked === "GET /assistants/:id") return [404, { detail: "Not Found" }];
    return [200, ANSWERS[asked] ?? {}];
  };

  for (const [title, wait, request, nth] of ROWS)
    it(title, async function () {
      // The clients' own limit of a request is 30 s.
      this.timeout(10_000);
      const cancel = new AbortController();
      const counts = new Map<string, number>();
      server = await startServer(({ method, url }, response) => {
        const asked = shape(method, url);
        const before = counts.get(asked) ?? 0;
        counts.set(asked, before + 1);
        if (asked === request && before + 1 === nth) return cancel.abort();
        const [status, body] = scripted(asked, before);
        return json(response, status, body);
      });
      const operation = { ...anOperation(server.url), signal: cancel.signal };
      const ended = await wait(operation, server.url).then(String, messageOf);
      expect(counts.get(request), ended).to.equal(nth);
      expect(ended).to.match(/cancelled(?! after 60 s)(?!.*undefined)/);
    });

  it("is the option customTimeouts that ends it before", async () => {
    const operation = anOperation("http://127.0.0.1:9");
    const deadline = operation.clock.now() + 10_000;
    const context = { ...contextAt("http://127.0.0.1:9", operation), canImport: true, deadline };
    const created = threadLifecycle.create({ deploymentUrl: "http://127.0.0.1:9" }, context);
    expect(await created.then(String, messageOf)).to.contain("timed out after 10 s: the agent");
  });
});
