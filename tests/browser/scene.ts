import { join } from "node:path";
import { makeRepository } from "../local/repository";
import { AgentServer, type Message } from "../../sdk";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../support/platform";

/** Characters that people see as markup, and terminals obey, if they are not escaped. */
export const MARKUP = `<img src=x onerror="document.title='hacked'">`;

export type Scene = Awaited<ReturnType<typeof setScene>>;

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

const SECRETS = [
  { name: "LOG_LEVEL", value: "info" },
  { name: "MODEL_API_KEY", value: "the-value-of-a-secret" },
];
const CALL = { id: "call-1", name: "find_order", args: { order: 1815, with_history: true } };
const CONVERSATION: readonly (readonly [string, Message])[] = [
  ["__start__", { type: "human", content: "Hello! Where is my order 1815?" }],
  ["agent", { type: "ai", content: "", tool_calls: [CALL] }],
  ["tools", { type: "tool", tool_call_id: "call-1", name: "find_order", content: '{"in":"post"}' }],
  ["agent", { type: "ai", content: [{ type: "text", text: "It is on its way, Ada." }] }],
];

const MESSAGE = {
  type: MARKUP,
  content: [MARKUP, { type: MARKUP }],
  tool_calls: [{ id: "1", name: MARKUP, args: { [MARKUP]: MARKUP } }],
};

/** Starts a platform with real agent servers on which something has happened, and the ids of what is there. */
export async function setScene(folder: string) {
  const dataDir = join(folder, "data");
  const test = await startTestPlatform({ driver: "process", dataDir, maxServers: 3 });
  const { integrationId: integration_id, platform } = test;
  const repository = await makeRepository(join(folder, "support"), AGENT);
  const files = { ...AGENT, "build.mjs": BROKEN_BUILD };
  const failing = await makeRepository(join(folder, "billing"), files);
  const create = async (name: string, repo_url: string, build?: string) => {
    const command = build === undefined ? {} : { build_command: build };
    const source_config = { integration_id, repo_url, deployment_type: "dev", ...command };
    const { id } = await test.create({ name, source_config, secrets: SECRETS });
    return id;
  };
  /** Serves; its second revision failed. */
  const support = await create("support-agent", repository.url);
  /** Its build failed. */
  const broken = await create("billing-agent", failing.url, "node build.mjs");
  /** For it the built-in server stands in. */
  const { id: image } = await test.create({ name: "translator", ...anImageDeployment() });
  await test.untilRevision(support, "DEPLOYED");
  await test.untilRevision(broken, "BUILD_FAILED");
  await test.untilRevision(image, "DEPLOYED");
  const reason = "the server exited with code 1: MODEL_API_KEY is not set";
  const outcome = { deploymentId: support, stage: "deploy", status: "DEPLOY_FAILED" } as const;
  platform.admin.addOutcome({ ...outcome, reason });
  for (const status of ["DEPLOY_FAILED", "DEPLOYED"]) {
    await revise(test, support);
    await test.untilRevision(support, status);
  }
  const client = new AgentServer({ url: `${platform.url}/agents/${support}` });
  const threads = await addThreads(client);
  const assistantId = await addAssistants(client);
  const building = await create("search-agent", repository.url, "node wait.mjs");
  await test.untilRevision(building, "BUILDING");
  return { test, support, broken, image, assistantId, ...threads };
}

export async function revise(test: TestPlatform, id: string): Promise<void> {
  const body = { source_revision_config: { repo_ref: "main" } };
  await test.request("PATCH", `/v2/deployments/${id}`, body);
}

/** A conversation with a tool call, and one with markup in it. */
async function addThreads({ threads }: AgentServer) {
  for (const user of ["grace", "linus"])
    await threads.create({ metadata: { user, channel: "mail", tier: 2 } });
  const supersteps = CONVERSATION.map(([as_node, message]) => ({
    updates: [{ as_node, values: { messages: [message] } }],
  }));
  const hostile = [
    { updates: [{ as_node: MARKUP, values: { messages: [MESSAGE], [MARKUP]: 1 } }] },
  ];
  const metadata = { user: "ada", channel: "web" };
  const { thread_id: threadId } = await threads.create({ metadata, supersteps });
  const marked = { metadata: { [MARKUP]: MARKUP }, supersteps: hostile };
  const { thread_id: hostileThreadId } = await threads.create(marked);
  return { threadId, hostileThreadId };
}

async function addAssistants({ assistants }: AgentServer): Promise<string> {
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
