import { join } from "node:path";
import { makeRepository } from "../local/repository";
import { AgentServer } from "../../sdk";
import { Thread } from "../../sdk/schema";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { parsed } from "../support/values";

/** Characters that people see as markup, and terminals obey, if they are not escaped. */
export const MARKUP = `<img src=x onerror="document.title='hacked'">`;

/** A platform with real agent servers on which something has happened. */
export interface Scene {
  readonly test: TestPlatform;
  /** Serves; its second revision failed. */
  readonly support: string;
  /** Its build failed. */
  readonly broken: string;
  /** An image, for which the built-in server stands in. */
  readonly image: string;
  /** A conversation with a tool call, on `support`. */
  readonly threadId: string;
  /** One with markup in it, on `support` too. */
  readonly hostileThreadId: string;
  /** An assistant of three versions, on `support`. */
  readonly assistantId: string;
}

/** Its lines have colours, markup and a title for terminals. */
const BROKEN_BUILD = `
console.log("\\x1b[32m> compiling agent.mjs\\x1b[0m");
console.log(${JSON.stringify(MARKUP)});
console.log("\\x1b]0;hacked\\x07title");
console.error("agent.mjs:14 TypeError: tools is not iterable");
process.exit(2);
`;

const AGENT = {
  "langgraph.json": JSON.stringify({ graphs: { agent: "./agent.mjs:graph" } }),
  "agent.mjs": "export const graph = undefined;\n",
  "wait.mjs": "setInterval(() => {}, 1000);\n",
};

const CALL = { id: "call-1", name: "find_order", args: { order: 1815, with_history: true } };
const CONVERSATION = [
  ["__start__", { type: "human", content: "Hello! Where is my order 1815?" }],
  ["agent", { type: "ai", content: "", tool_calls: [CALL] }],
  ["tools", { type: "tool", tool_call_id: "call-1", name: "find_order", content: '{"in":"post"}' }],
  ["agent", { type: "ai", content: [{ type: "text", text: "It is on its way, Ada." }] }],
] as const;

const MESSAGE = {
  type: MARKUP,
  content: [MARKUP, { type: MARKUP }],
  tool_calls: [{ id: "1", name: MARKUP, args: { [MARKUP]: MARKUP } }],
};

/** Starts the platform and makes everything happen on it. */
export async function setScene(folder: string): Promise<Scene> {
  const dataDir = join(folder, "data");
  const test = await startTestPlatform({ driver: "process", dataDir, maxServers: 3 });
  const repository = await makeRepository(join(folder, "support"), AGENT);
  const files = { ...AGENT, "build.mjs": BROKEN_BUILD };
  const failing = await makeRepository(join(folder, "billing"), files);
  const from = (repo_url: string, more = {}) => ({
    source_config: {
      integration_id: test.integrationId,
      repo_url,
      deployment_type: "dev",
      ...more,
    },
    secrets: [
      { name: "LOG_LEVEL", value: "info" },
      { name: "MODEL_API_KEY", value: "the-value-of-a-secret" },
    ],
  });
  const support = await test.create({ name: "support-agent", ...from(repository.url) });
  const build = { build_command: "node build.mjs" };
  const broken = await test.create({ name: "billing-agent", ...from(failing.url, build) });
  const image = await test.create({
    name: "translator",
    source: "external_container",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "registry.example.com/acme/translator:1.4.2" },
  });
  await test.untilRevision(support.id, "DEPLOYED");
  await test.untilRevision(broken.id, "BUILD_FAILED");
  await test.untilRevision(image.id, "DEPLOYED");
  const reason = "the server exited with code 1: MODEL_API_KEY is not set";
  const outcome = { deploymentId: support.id, stage: "deploy", status: "DEPLOY_FAILED" } as const;
  test.platform.admin.addOutcome({ ...outcome, reason });
  await revise(test, support.id);
  await test.untilRevision(support.id, "DEPLOY_FAILED");
  await revise(test, support.id);
  await test.untilRevision(support.id, "DEPLOYED");
  const agent = `${test.platform.url}/agents/${support.id}`;
  const threads = await addThreads(agent);
  const assistantId = await addAssistants(agent);
  const waiting = { build_command: "node wait.mjs" };
  const building = await test.create({ name: "search-agent", ...from(repository.url, waiting) });
  await test.untilRevision(building.id, "BUILDING");
  return { test, support: support.id, broken: broken.id, image: image.id, assistantId, ...threads };
}

/** Makes a further revision of the same ref. */
export async function revise(test: TestPlatform, id: string): Promise<void> {
  const body = { source_revision_config: { repo_ref: "main" } };
  await test.request("PATCH", `/v2/deployments/${id}`, body);
}

async function addThreads(url: string) {
  const post = async (body: object): Promise<string> => {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const created: unknown = await (await fetch(`${url}/threads`, request)).json();
    return parsed(Thread, created).thread_id;
  };
  for (const user of ["grace", "linus"])
    await post({ metadata: { user, channel: "mail", tier: 2 } });
  const supersteps = CONVERSATION.map(([as_node, message]) => ({
    updates: [{ as_node, values: { messages: [message] } }],
  }));
  const hostile = [
    { updates: [{ as_node: MARKUP, values: { messages: [MESSAGE], [MARKUP]: 1 } }] },
  ];
  return {
    hostileThreadId: await post({ metadata: { [MARKUP]: MARKUP }, supersteps: hostile }),
    threadId: await post({ metadata: { user: "ada", channel: "web" }, supersteps }),
  };
}

async function addAssistants(url: string): Promise<string> {
  const { assistants } = new AgentServer({ url });
  const graph_id = "agent";
  await assistants.create({ graph_id, name: MARKUP, context: { [MARKUP]: MARKUP } });
  const { assistant_id } = await assistants.create({
    graph_id,
    name: "support-de",
    description: "German tier 1",
    context: { model: "m-large", prompt: "Antworte kurz und freundlich.", tools: ["find_order"] },
    metadata: { pulumi_resource: "shop/production/support-de", team: "support" },
  });
  const prompt = "Antworte kurz, freundlich und auf Deutsch. Nenne die Bestellnummer.";
  const context = { model: "m-large", prompt, tools: ["find_order", "cancel_order"] };
  await assistants.update(assistant_id, { context });
  await assistants.update(assistant_id, { name: "support-de", description: "German tier 1 and 2" });
  return assistant_id;
}
