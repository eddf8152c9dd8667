import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { dialectOf } from "../../sdk/dialect";
import {
  Deployment,
  DeploymentsList,
  IntegrationsList,
  ListenersList,
  Problem,
  Revision,
  RevisionsList,
} from "../../sdk/schema";
import { type LocalPlatform, startLocalPlatform, type LocalPlatformOptions } from "../../local";
import { type Answer, sendJson } from "./http";
import { later } from "./later";
import { parsed } from "./values";

/** A local platform in a temporary folder, with a small client that sends its keys. */
export type TestPlatform = Awaited<ReturnType<typeof startTestPlatform>>;

type FaultMatch = Parameters<LocalPlatform["admin"]["addFault"]>[0]["match"];

/** Starts a platform, by default on a free port with the simulated driver, stages of 10 ms and no real agent servers. */
export async function startTestPlatform(options: LocalPlatformOptions = {}) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "agentserver-test-")));
  const start = (changes: LocalPlatformOptions = {}) =>
    startLocalPlatform({
      port: 0,
      driver: "simulated",
      agentServer: "built-in",
      stageSeconds: 0.01,
      ...options,
      ...changes,
      dataDir,
    });
  let platform = await start();
  let created = 0;
  const send = (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string | undefined>,
  ) => sendJson(`${platform.url}${path}`, method, body, headers);
  const request = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ) =>
    send(method, path, body, {
      "X-Api-Key": platform.apiKey,
      "X-Tenant-Id": platform.workspaceId,
      ...headers,
    });
  const { fromContract } = dialectOf(options.dialect ?? "agentserver");
  const install = fromContract.path("/v1/integrations/git_host/install");
  const look = async <Schema extends z.ZodType>(schema: Schema, path: string) =>
    parsed(schema, (await expecting(200, request("GET", path))).body);
  const listeners = async () => (await look(ListenersList, "/v2/listeners?limit=100")).resources;
  const [integration] = await look(IntegrationsList, install);
  const integrationId = integration?.id ?? "";
  const [listener] = await listeners();
  const listenerId = listener?.id ?? "";
  const get = (id: string) => look(Deployment, `/v2/deployments/${id}`);
  return {
    get platform() {
      return platform;
    },
    dataDir,
    /** The integration and the listener that a new folder holds. */
    integrationId,
    listenerId,
    /** A request with the workspace's key; `headers` come on top, undefined leaves one out. */
    request,
    /** A request to the admin API below `/_local/`. */
    admin: (method: string, path: string, body?: unknown) =>
      send(method, `/_local${path}`, body, { "X-Local-Key": platform.adminKey }),
    /** The reason of a refusal with this status. */
    async refusal(status: number, method: string, path: string, body?: unknown) {
      const answer = await expecting(status, request(method, path, body));
      return parsed(Problem, answer.body).detail;
    },
    /** Creates a deployment, by default `aGitDeployment` of a new name, named in the contract; fails on any answer but 201. */
    async create(changes: Record<string, unknown> = {}) {
      created += 1;
      const body = { ...aGitDeployment(integrationId), name: `agent-${created}`, ...changes };
      const sent = fromContract.body(body);
      const answer = await expecting(201, request("POST", "/v2/deployments", sent));
      return parsed(Deployment, answer.body);
    },
    get,
    /** The first hundred deployments of the workspace. */
    deployments: async () => (await look(DeploymentsList, "/v2/deployments?limit=100")).resources,
    /** The last hundred revisions of a deployment, the newest first. */
    revisions: async (id: string) =>
      (await look(RevisionsList, `/v2/deployments/${id}/revisions?limit=100`)).resources,
    /** The listeners of the workspace, without the one that a new folder holds. */
    listeners: async () => (await listeners()).filter(({ id }) => id !== listenerId),
    /** Polls a revision, by default the latest, until it has this status. */
    async untilRevision(id: string, status: string, revisionId?: string) {
      const wanted = revisionId ?? (await get(id)).latest_revision_id ?? "";
      const path = `/v2/deployments/${id}/revisions/${wanted}`;
      return poll(`revision ${wanted} to be ${status}`, async () => {
        const revision = await look(Revision, path);
        return { fits: revision.status === status, seen: revision };
      });
    },
    /** Lets the next build or deploy fail. */
    fails: (status: "BUILD_FAILED" | "DEPLOY_FAILED" = "BUILD_FAILED", reason?: string) =>
      platform.admin.addOutcome({
        stage: status === "BUILD_FAILED" ? "build" : "deploy",
        status,
        ...(reason !== undefined && { reason }),
      }),
    /** Answers the next such requests, by default one, with a status in place of the control plane. */
    answers: (match: FaultMatch, status: number, body: unknown = {}, times = 1) =>
      platform.admin.addFault({ match, action: "status", status, body, times }),
    /** Polls a deployment until it answers 404. */
    async untilGone(id: string) {
      await poll(`deployment ${id} to be gone`, async () => {
        const seen = await request("GET", `/v2/deployments/${id}`);
        return { fits: seen.status === 404, seen };
      });
    },
    /** Closes the platform and starts it again on the same folder. */
    async restart(changes?: LocalPlatformOptions) {
      await platform.close();
      platform = await start(changes);
      // `fetch` learns only when it uses them that its old connections are closed.
      await poll("an answer after the restart", async () => {
        const answered = request("GET", "/v2/listeners").then(
          () => true,
          () => false,
        );
        return { fits: await answered, seen: undefined };
      });
    },
    /** Closes the platform and removes its folder. */
    async close() {
      await platform.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A platform for all tests of the `describe`. */
export function usePlatform(options?: LocalPlatformOptions): TestPlatform {
  let test: TestPlatform | undefined;
  before(async () => (test = await startTestPlatform(options)));
  after(() => test?.close());
  return later(() => test);
}

/** A platform of its own for each test of the `describe`. */
export function useFreshPlatform(options?: LocalPlatformOptions): TestPlatform {
  let test: TestPlatform | undefined;
  beforeEach(async () => (test = await startTestPlatform(options)));
  afterEach(() => test?.close());
  return later(() => test);
}

/** The body of a valid `git_host` create. */
export function aGitDeployment(integrationId: string) {
  return {
    name: "support",
    source: "git_host",
    source_config: {
      integration_id: integrationId,
      repo_url: "https://git.example.com/acme/support.git",
      deployment_type: "dev",
    },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    secrets: [{ name: "LOG_LEVEL", value: "info" }],
  };
}

/** The changes that make a valid `external_container` create of it. */
export function anImageDeployment(image = "registry.example.com/acme/agent:1.2") {
  return {
    source: "external_container",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: image },
  };
}

const LIMIT_MS = 300_000;
const POLL_MS = 5;

/** Looks until what is seen fits. It gives up before mocha does, to say what was seen last. */
export async function poll<Seen>(
  what: string,
  look: () => Promise<{ fits: boolean; seen: Seen }>,
): Promise<Seen> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const { fits, seen } = await look();
    if (fits) return seen;
    if (Date.now() > deadline)
      throw new Error(`waited in vain for ${what}: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function expecting(status: number, answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  if (got.status === status) return got;
  throw new Error(`expected status ${status}: ${got.status} ${JSON.stringify(got.body)}`);
}
