import type { Assistant, Cron, Listener, Thread } from "../../sdk";
import { defaultAssistantId, type OAuthProvider, OAuthProvidersList } from "../../sdk/schema";
import { type Props, valueAt } from "../../provider/arguments/props";
import { MARK } from "../../provider/gate/run";
import { recordOf } from "../../shared/records";
import type { ResourceTypeName } from "./history";
import type { Random } from "./random";
import { type Kind, SECRET, type Subject, subjectOf } from "./subject";
import type { Trial } from "./trial";

/** A resource type: the arguments that a first program declares, and its subject. */
export interface ResourceKind {
  readonly first: (trial: Trial, shape: Random) => Props | Promise<Props>;
  readonly subject: (trial: Trial, args: Props) => Subject;
}

function smallKind<Thing>(
  first: ResourceKind["first"],
  kindOf: (trial: Trial, args: Props) => Kind<Thing>,
): ResourceKind {
  return { first, subject: (trial, args) => subjectOf(trial, kindOf(trial, args), args) };
}

/** One of few values, so that changes are taken back too. */
const few =
  (begin = "") =>
  (how: Random): string =>
    `${begin}${how.below(3)}`;

/** The workspace has another listener, named `local`. */
const listener = smallKind<Listener>(
  ({ place }) => ({
    computeType: "k8s",
    computeId: `${place.logicalName}-0`,
    computeConfig: { k8sNamespaces: ["agents"] },
  }),
  ({ workspace, place }) => {
    const theirs = { compute_config: { k8s_namespaces: ["theirs"] } };
    return {
      type: "listener",
      table: [
        { path: "computeId", replaces: true, change: few(`${place.logicalName}-`) },
        {
          path: "computeConfig.k8sNamespaces",
          change: (how) => how.pick([["agents"], ["agents", "more"], [few("only-")(how)]]),
        },
      ],
      ignorable: ["computeConfig"],
      url: "/v2/listeners",
      send: workspace.send,
      async all() {
        const found = await Array.fromAsync(workspace.client.listeners.list());
        return found.filter(({ compute_id: id }) => id !== "local");
      },
      idOf: ({ id }) => id,
      drift: () => theirs,
      key: "computeId",
      conflict: (key) => ({ compute_type: "k8s", compute_id: key, ...theirs }),
      taken: /listener (\S+) exists for this compute/,
    };
  },
);

const OAUTH_URL = "/v2/auth/providers";
const [AUTHORIZE, TOKEN] = [
  "https://login.example.com/authorize",
  "https://login.example.com/token",
];

/** The client secret is one that nothing may show, and perhaps the client's id. */
const oauthProvider = smallKind<OAuthProvider>(
  ({ place }, shape) => ({
    providerId: `${place.logicalName}-0`,
    name: "Calendar",
    clientId: shape.chance(0.3) ? `${SECRET}0` : "0",
    clientSecret: `${SECRET}0`,
    authUrl: AUTHORIZE,
    tokenUrl: TOKEN,
  }),
  ({ workspace, place }, { clientId }) => {
    const mark = String(clientId).startsWith(SECRET) ? SECRET : "";
    const theirs = { name: "Theirs", client_id: "theirs", auth_url: AUTHORIZE, token_url: TOKEN };
    return {
      type: "oauthProvider",
      table: [
        { path: "providerId", replaces: true, change: few(`${place.logicalName}-`) },
        { path: "name", change: few("Calendar ") },
        { path: "clientId", change: few(mark) },
        { path: "clientSecret", isHidden: true, change: few(SECRET) },
      ],
      ignorable: ["name"],
      ...(mark !== "" && { secretPaths: ["clientId"] }),
      url: OAUTH_URL,
      send: workspace.send,
      all: () => workspace.get(OAuthProvidersList, OAUTH_URL),
      idOf: ({ provider_id: id }) => id,
      drift: () => ({ name: "Theirs" }),
      key: "providerId",
      conflict: (key) => ({ provider_id: key, ...theirs }),
      taken: /OAuth provider (\S+) exists with this providerId/,
    };
  },
);

/** The resources of one program on an agent server that serves other schedules too. */
const onAgentServer = ({ environment, workspace }: Trial) => ({
  deploymentUrl: environment.agentServer.url,
  metadata: { schedule: workspace.workspaceId, label: "0" },
});

const LABEL = { path: "metadata.label", change: few() };

/** A gate, where there is one, is passed if nothing fails. */
const assistant = smallKind<Assistant>(
  (trial, shape) => ({
    ...onAgentServer(trial),
    graphId: "agent",
    description: "0",
    context: { model: "0", schedule: trial.workspace.workspaceId },
    isGated: shape.chance(0.5),
  }),
  ({ environment, workspace: { workspaceId: schedule } }) => {
    const { client, send } = environment.agents;
    const search = (metadata: Props) =>
      Array.fromAsync(client.assistants.searchAll({ metadata: { ...metadata } }));
    return {
      type: "assistant",
      table: [
        { path: "description", change: few() },
        { path: "context.model", change: few() },
        { path: "isGated", isHidden: true, change: (how) => how.chance(0.5) },
        LABEL,
      ],
      ignorable: ["description"],
      url: "/assistants",
      send,
      all: () => search({ schedule }),
      idOf: (one) => one.assistant_id,
      versionOf: ({ version }) => version,
      drift: () => ({ description: "theirs" }),
      adopts: true,
      declare({ isGated, ...args }) {
        const expect = { equals: valueAt(args, "context.model") };
        return { ...args, ...(isGated === true && { gate: { runs: [{ input: {}, expect }] } }) };
      },
      /** What is left of gates whose assistant is gone: nothing deletes it any more. */
      async leftBeside(there) {
        const left = (await search(MARK)).filter(
          ({ context, metadata }) =>
            recordOf(context)["schedule"] === schedule &&
            !there.includes(String(metadata["pulumi_gate"])),
        );
        return left.map((one) => one.assistant_id);
      },
    };
  },
);

const valuesOf = (content: string) => ({ messages: [{ type: "human", content }] });
const supersteps = (words: readonly string[]) =>
  words.map((word) => ({ updates: [{ values: valuesOf(word), asNode: "__start__" }] }));

const WORDS = [["Where is my order?"], ["And the other?"], ["One", "Two"]] as const;

/** The threads that others are copies of. */
const ORIGINALS = new Set<string>();

interface Talk extends Thread {
  /** What was said. */
  readonly supersteps: unknown;
}

/** Where responses to copies are lost, it is a copy of one that others have made, with whose metadata it begins. */
const thread = smallKind<Talk>(
  async (trial) => {
    const { environment, workspace, conditions } = trial;
    if (conditions.lostCopies === undefined)
      return { ...onAgentServer(trial), graphId: "agent", supersteps: supersteps(WORDS[0]) };
    const { thread_id: id } = await environment.agents.client.threads.create({
      metadata: { copied: workspace.workspaceId },
      supersteps: [{ updates: [{ values: valuesOf(WORDS[0][0]), as_node: "__start__" }] }],
    });
    ORIGINALS.add(id);
    return { ...onAgentServer(trial), copyFrom: id };
  },
  ({ environment, workspace: { workspaceId } }, { copyFrom }) => {
    const { threads } = environment.agents.client;
    const search = (metadata: Props) => threads.search({ metadata, limit: 100 });
    return {
      type: "thread",
      table: [
        copyFrom === undefined
          ? { path: "supersteps", replaces: true, change: (how) => supersteps(how.pick(WORDS)) }
          : { path: "supersteps", wanted: () => supersteps(WORDS[0]) },
        LABEL,
      ],
      ignorable: ["metadata"],
      url: "/threads",
      send: environment.agents.send,
      async all() {
        const copies = (await search({ copied: workspaceId })).filter(
          ({ metadata, thread_id: id }) => !metadata["schedule"] && !ORIGINALS.has(id),
        );
        const own = await search({ schedule: workspaceId });
        const talks = [...own, ...copies].map(async (one) => {
          const { values } = await threads.state(one.thread_id);
          const words = (values.messages ?? []).map(({ content }) => String(content));
          return { ...one, supersteps: supersteps(words) };
        });
        return Promise.all(talks);
      },
      idOf: (one) => one.thread_id,
      drift: () => ({ metadata: { label: "theirs" } }),
      async use(id) {
        const values = valuesOf("And when does it come?");
        await threads.updateState(id, { values, as_node: "__start__" });
        return `talks in thread ${id}`;
      },
    };
  },
);

const cron = smallKind<Cron>(
  (trial) => ({
    ...onAgentServer(trial),
    graphId: "agent",
    schedule: "0 9 * * *",
    input: { word: "0" },
  }),
  ({ environment: { agents }, workspace: { workspaceId: schedule } }) => ({
    type: "cron",
    table: [
      {
        path: "graphId",
        wire: "assistant_id",
        wanted: ({ graphId }) => defaultAssistantId(String(graphId)),
        replaces: true,
        change: (how) => how.pick(["agent", "other"]),
      },
      { path: "schedule", change: (how) => how.pick(["0 9 * * *", "@daily", "* * * * * */5"]) },
      { path: "input.word", change: few() },
      LABEL,
    ],
    ignorable: ["schedule"],
    url: "/runs/crons",
    send: agents.send,
    all: () => Array.fromAsync(agents.client.crons.searchAll({ metadata: { schedule } })),
    idOf: (one) => one.cron_id,
    drift: () => ({ schedule: "0 0 1 1 *" }),
    adopts: true,
  }),
);

/** The small resource types of the histories. */
export const SMALL_KINDS = { listener, oauthProvider, thread, assistant, cron } satisfies Partial<
  Record<ResourceTypeName, ResourceKind>
>;
