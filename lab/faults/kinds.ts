import type { Assistant, Cron, Listener, Thread } from "../../sdk";
import { defaultAssistantId, type OAuthProvider, OAuthProvidersList } from "../../sdk/schema";
import { MARK } from "../../provider/gate/run";
import { recordOf } from "../../shared/records";
import type { ResourceTypeName } from "./history";
import type { Random } from "./random";
import { type Kind, SECRET, type Subject, subjectOf, valueAt } from "./subject";
import type { Trial } from "./trial";

type Props = Readonly<Record<string, unknown>>;

/** A resource type: the arguments that a first program declares, and its subject. */
export interface ResourceKind {
  readonly first: (trial: Trial, shape: Random) => Props | Promise<Props>;
  readonly subject: (trial: Trial, args: Props) => Subject;
}

const LABEL = { path: "metadata.label", wire: "metadata.label", change: few };
const number = (how: Random, begin: string): string => `${begin}${how.below(3)}`;

function few(how: Random): string {
  return number(how, "");
}

/** What a server lists in any number of pages. */
async function allOf<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** The workspace has another listener, named `local`. */
const listener: ResourceKind = {
  first: ({ place }) => ({
    computeType: "k8s",
    computeId: `${place.logicalName}-0`,
    computeConfig: { k8sNamespaces: ["agents"] },
  }),
  subject: (trial, args) => subjectOf(trial, listenerKind(trial), args),
};

function listenerKind({ workspace, place }: Trial): Kind<Listener> {
  const bodyOf = (namespaces: string[]) => ({ compute_config: { k8s_namespaces: namespaces } });
  return {
    type: "listener",
    table: [
      {
        path: "computeId",
        wire: "compute_id",
        replaces: true,
        change: (how) => number(how, `${place.logicalName}-`),
      },
      {
        path: "computeConfig.k8sNamespaces",
        wire: "compute_config.k8s_namespaces",
        change: (how) => how.pick([["agents"], ["agents", "more"], [number(how, "only-")]]),
      },
    ],
    ignorable: ["computeConfig"],
    url: "/v2/listeners",
    send: workspace.send,
    all: async () =>
      (await allOf(workspace.client.listeners.list())).filter(
        ({ compute_id: id }) => id !== "local",
      ),
    idOf: ({ id }) => id,
    drift: () => bodyOf(["theirs"]),
    key: "computeId",
    conflict: (key) => ({ compute_type: "k8s", compute_id: key, ...bodyOf(["theirs"]) }),
    taken: /listener (\S+) exists for this compute/,
  };
}

const ADDRESSES = {
  authUrl: "https://login.example.com/authorize",
  tokenUrl: "https://login.example.com/token",
};

/** The client secret is one that nothing may show, and perhaps the client's id. */
const oauthProvider: ResourceKind = {
  first: ({ place }, shape) => ({
    providerId: `${place.logicalName}-0`,
    name: "Calendar",
    clientId: shape.chance(0.3) ? `${SECRET}0` : "0",
    clientSecret: `${SECRET}0`,
    ...ADDRESSES,
  }),
  subject: (trial, args) => subjectOf(trial, oauthProviderKind(trial, args), args),
};

function oauthProviderKind({ workspace, place }: Trial, args: Props): Kind<OAuthProvider> {
  const mark = String(args["clientId"]).startsWith(SECRET) ? SECRET : "";
  const { authUrl: auth_url, tokenUrl: token_url } = ADDRESSES;
  const theirs = { name: "Theirs", client_id: "theirs", auth_url, token_url };
  const url = "/v2/auth/providers";
  return {
    type: "oauthProvider",
    table: [
      {
        path: "providerId",
        wire: "provider_id",
        replaces: true,
        change: (how) => number(how, `${place.logicalName}-`),
      },
      { path: "name", wire: "name", change: (how) => number(how, "Calendar ") },
      { path: "clientId", wire: "client_id", change: (how) => number(how, mark) },
      { path: "clientSecret", change: (how) => number(how, SECRET) },
    ],
    ignorable: ["name"],
    ...(mark !== "" && { secretPaths: ["clientId"] }),
    url,
    send: workspace.send,
    all: () => workspace.get(OAuthProvidersList, url),
    idOf: ({ provider_id: id }) => id,
    drift: () => ({ name: "Theirs" }),
    key: "providerId",
    conflict: (key) => ({ provider_id: key, ...theirs }),
    taken: /OAuth provider (\S+) exists with this providerId/,
  };
}

/** The resources of one program on an agent server that serves other schedules too. */
const onAgentServer = ({ environment, workspace }: Trial) => ({
  deploymentUrl: environment.agentServer.url,
  metadata: { schedule: workspace.workspaceId, label: "0" },
});

/** A gate, where there is one, is passed if nothing fails. */
const assistant: ResourceKind = {
  first: (trial, shape) => ({
    ...onAgentServer(trial),
    graphId: "agent",
    description: "0",
    context: { model: "0", schedule: trial.workspace.workspaceId },
    isGated: shape.chance(0.5),
  }),
  subject(trial, args) {
    const { workspace, environment } = trial;
    const kind = assistantKind(trial);
    const subject = subjectOf(trial, kind, args);
    let before = new Map<string, number>();
    return {
      ...subject,
      async before() {
        before = new Map((await kind.all()).map((one) => [one.assistant_id, one.version]));
      },
      // A create is one version, and what it adopts one more at the most.
      wrongAfterUp: async ({ allowance }) =>
        (await subject.own())
          .filter((one) => one.version - (before.get(one.assistant_id) ?? 0) > 1 + allowance)
          .map((one) => `more than one version of ${one.assistant_id} was made`),
      /** Also what is left of gates whose assistant is gone: nothing deletes it any more. */
      async live() {
        const there = await subject.live();
        const marked = await allOf(
          environment.agents.client.assistants.searchAll({ metadata: MARK }),
        );
        const left = marked.filter(
          ({ context, metadata }) =>
            recordOf(context)["schedule"] === workspace.workspaceId &&
            !there.includes(String(metadata["pulumi_gate"])),
        );
        return [...there, ...left.map((one) => one.assistant_id)];
      },
    };
  },
};

function assistantKind({ environment, workspace }: Trial): Kind<Assistant> {
  const { client, send } = environment.agents;
  const metadata = { schedule: workspace.workspaceId };
  return {
    type: "assistant",
    table: [
      { path: "description", wire: "description", change: few },
      { path: "context.model", wire: "context.model", change: few },
      { path: "isGated", change: (how) => how.chance(0.5) },
      LABEL,
    ],
    ignorable: ["description"],
    url: "/assistants",
    send,
    all: () => allOf(client.assistants.searchAll({ metadata })),
    idOf: (one) => one.assistant_id,
    drift: () => ({ description: "theirs" }),
    adopts: true,
    declare({ isGated, ...args }) {
      const expect = { equals: valueAt(args, "context.model") };
      return { ...args, ...(isGated === true && { gate: { runs: [{ input: {}, expect }] } }) };
    },
  };
}

const valuesOf = (content: string) => ({ messages: [{ type: "human", content }] });
const supersteps = (words: readonly string[]) =>
  words.map((word) => ({ updates: [{ values: valuesOf(word), asNode: "__start__" }] }));

const WORDS = [["Where is my order?"], ["And the other?"], ["One", "Two"]] as const;

/** The threads that others are copies of. */
const ORIGINALS = new Set<string>();

/** Where responses to copies are lost, it is a copy of one that others have made, with whose metadata it begins. */
const thread: ResourceKind = {
  async first(trial) {
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
  subject(trial, args) {
    const { client } = trial.environment.agents;
    return {
      ...subjectOf(trial, threadKind(trial, args), args),
      async use(id) {
        const values = valuesOf("And when does it come?");
        await client.threads.updateState(id, { values, as_node: "__start__" });
        return `talks in thread ${id}`;
      },
    };
  },
};

interface Talk extends Thread {
  /** What was said. */
  readonly supersteps: unknown;
}

function threadKind({ environment, workspace }: Trial, { copyFrom }: Props): Kind<Talk> {
  const { client, send } = environment.agents;
  const { workspaceId } = workspace;
  const search = (metadata: Props) => client.threads.search({ metadata, limit: 100 });
  const talkOf = async (one: Thread): Promise<Talk> => {
    const { values } = await client.threads.state(one.thread_id);
    const words = (values.messages ?? []).map(({ content }) => String(content));
    return { ...one, supersteps: supersteps(words) };
  };
  const words = { path: "supersteps", wire: "supersteps" };
  return {
    type: "thread",
    table: [
      copyFrom === undefined
        ? { ...words, replaces: true, change: (how) => supersteps(how.pick(WORDS)) }
        : { ...words, wanted: () => supersteps(WORDS[0]) },
      LABEL,
    ],
    ignorable: ["metadata"],
    url: "/threads",
    send,
    async all() {
      const copies = (await search({ copied: workspaceId })).filter(
        ({ metadata, thread_id: id }) => !metadata["schedule"] && !ORIGINALS.has(id),
      );
      const own = await search({ schedule: workspaceId });
      return Promise.all([...own, ...copies].map(talkOf));
    },
    idOf: (one) => one.thread_id,
    drift: () => ({ metadata: { label: "theirs" } }),
  };
}

const cron: ResourceKind = {
  first: (trial) => ({
    ...onAgentServer(trial),
    graphId: "agent",
    schedule: "0 9 * * *",
    input: { word: "0" },
  }),
  subject: (trial, args) => subjectOf(trial, cronKind(trial), args),
};

function cronKind({ environment, workspace }: Trial): Kind<Cron> {
  const { client, send } = environment.agents;
  const metadata = { schedule: workspace.workspaceId };
  return {
    type: "cron",
    table: [
      {
        path: "graphId",
        wire: "assistant_id",
        wanted: ({ graphId }) => defaultAssistantId(String(graphId)),
        replaces: true,
        change: (how) => how.pick(["agent", "other"]),
      },
      {
        path: "schedule",
        wire: "schedule",
        change: (how) => how.pick(["0 9 * * *", "@daily", "* * * * * */5"]),
      },
      { path: "input.word", wire: "input.word", change: few },
      LABEL,
    ],
    ignorable: ["schedule"],
    url: "/runs/crons",
    send,
    all: () => allOf(client.crons.searchAll({ metadata })),
    idOf: (one) => one.cron_id,
    drift: () => ({ schedule: "0 0 1 1 *" }),
    adopts: true,
  };
}

/** The small resource types of the histories. */
export const SMALL_KINDS = { listener, oauthProvider, thread, assistant, cron } satisfies Partial<
  Record<ResourceTypeName, ResourceKind>
>;
