import { randomUUID } from "node:crypto";
import { recordOf } from "../../../shared/records";
import { ai, aConversation, aMark, CONVERSATION, GRAPH, type Subject } from "./subject";

type Members = Readonly<Record<string, unknown>>;

/** A thread with a conversation, which the requests of one case are about. */
interface Place {
  readonly id: string;
  readonly mark: { readonly mark: string };
  /** Its states, the newest first. */
  readonly checkpoints: readonly string[];
}

/** The values to send of members whose schema does not list them. */
const SAMPLES: Readonly<Record<string, (place: Place) => readonly unknown[]>> = {
  thread_id: ({ id }) => [randomUUID(), id, "x"],
  metadata: ({ mark }) => [mark, { ...mark, team: "support" }],
  values: () => [{ mood: "glad" }],
  ttl: () => [{ strategy: "delete", ttl: 60 }, { strategy: "keep_latest" }],
  supersteps: () => [CONVERSATION],
  ids: ({ id }) => [[id]],
  limit: () => [1, 2, 0, 1001],
  offset: () => [0, 1, -1],
  extract: () => [{ first: "values.messages[0].content" }],
  checkpoint: ({ checkpoints }) => [...checkpoints.map(named), {}],
  before: ({ checkpoints: [newest] }) => [named(newest), { configurable: named(newest) }],
  as_node: () => ["agent", "__copy__", "nobody"],
  subgraphs: () => [true],
  include: () => ["ttl", "nothing"],
};

/** The members that each request has, whichever other one is sent. */
const PLAIN: Readonly<Record<string, (place: Place) => Members>> = {
  "POST /threads": ({ mark }) => ({ metadata: { ...GRAPH, ...mark } }),
  "POST /threads/search": ({ mark }) => ({ metadata: mark }),
  "POST /threads/count": ({ mark }) => ({ metadata: mark }),
  "POST /threads/prune": ({ id }) => ({ thread_ids: [id] }),
  "POST /threads/{thread_id}/state": () => ({ values: { messages: [ai("more")] } }),
  "POST /threads/{thread_id}/state/checkpoint": ({ checkpoints: [newest] }) => ({
    checkpoint: named(newest),
  }),
  "POST /threads/{thread_id}/history": () => ({ limit: 10 }),
};

function named(checkpoint_id: string | undefined) {
  return { checkpoint_id, checkpoint_ns: "" };
}

/** Where servers do not all answer alike. */
export interface Found {
  /** What was sent, or the member of an answer that not all have. */
  readonly what: string;
  /** What came of it, by server. */
  readonly texts: readonly string[];
}

/** Sends all that a description names of the threads to each server. */
export async function compare(
  servers: readonly Subject[],
  description: unknown,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  const note = (what: string, texts: readonly string[]) =>
    new Set(texts).size > 1 && found.push({ what, texts });
  operations: for (const operation of operationsOf(description)) {
    const members = servers.map(() => new Set<string>());
    for (const one of casesOf(operation)) {
      const answers = await Promise.all(servers.map((server) => ask(server, operation, one)));
      note(
        [operation.name, one.what].join(" ").trim(),
        answers.map(({ text }) => text),
      );
      for (const [at, { names }] of answers.entries())
        for (const name of names) members[at]?.add(name);
      // What a server has not at all is one difference.
      if (one.what === "" && answers.some(({ text }) => text === "404")) continue operations;
    }
    for (const name of operation.answers)
      note(
        `${operation.name} answers ${name}`,
        members.map((names) => (names.has(name) ? "there" : "not there")),
      );
  }
  return found;
}

interface Operation {
  readonly name: string;
  /** The schemas of its parameters and of the members of its body. */
  readonly query: Members;
  readonly body: Members;
  /** Names of the members that its answer may have. */
  readonly answers: readonly string[];
}

function operationsOf(description: unknown): Operation[] {
  const schemas = recordOf(recordOf(recordOf(description)["components"])["schemas"]);
  const resolve = (schema: unknown): Members => {
    const { $ref } = recordOf(schema);
    return recordOf(typeof $ref === "string" ? schemas[$ref.split("/").at(-1) ?? ""] : schema);
  };
  const json = (part: unknown) =>
    resolve(recordOf(recordOf(recordOf(part)["content"])["application/json"])["schema"]);
  const paths = Object.entries(recordOf(recordOf(description)["paths"]));
  return paths
    .filter(([path]) => /^\/threads(?!.*\/(?:runs|stream))/.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(recordOf(methods)).map(([method, operation]) => {
        const { parameters, requestBody, responses } = recordOf(operation);
        const given = Array.isArray(parameters) ? parameters.map(recordOf) : [];
        const inQuery = given.filter((one) => one["in"] === "query");
        const answer = json(recordOf(responses)["200"]);
        const item = resolve(answer["items"] ?? answer);
        return {
          name: `${method.toUpperCase()} ${path}`,
          query: Object.fromEntries(inQuery.map(({ name, schema }) => [String(name), schema])),
          body: recordOf(json(requestBody)["properties"]),
          answers: Object.keys(recordOf(item["properties"])),
        };
      }),
    );
}

/** One request that the description allows. */
interface Case {
  readonly what: string;
  readonly partOf: (place: Place) => { readonly query?: Members; readonly body?: Members };
}

const NOWHERE: Place = { id: "<id>", mark: { mark: "<mark>" }, checkpoints: ["<2>", "<1>", "<0>"] };

/** The plain request, and one for each value of each member. */
function* casesOf({ query, body }: Operation): Generator<Case> {
  yield { what: "", partOf: () => ({}) };
  for (const [part, members] of Object.entries({ query, body }))
    for (const [member, schema] of Object.entries(members))
      for (const [at, value] of valuesOf(member, schema, NOWHERE).entries())
        yield {
          what: `${member} ${shown(value)}`,
          partOf: (place) => ({ [part]: { [member]: valuesOf(member, schema, place)[at] } }),
        };
}

async function ask(server: Subject, { name }: Operation, { partOf }: Case) {
  const place = await placeOn(server);
  const { query = {}, body = {} } = partOf(place);
  const [method = "", path = ""] = name.split(" ");
  const target = path
    .replace("{thread_id}", place.id)
    .replace("{checkpoint_id}", place.checkpoints[1] ?? "");
  const words = Object.entries(query).map(([key, value]) => `${key}=${wordOf(value)}`);
  const content = { ...PLAIN[name]?.(place), ...body };
  const answer = await server.send(
    method,
    [target, ...(words.length > 0 ? [words.join("&")] : [])].join("?"),
    method === "GET" ? undefined : content,
  );
  const items = [answer.body].flat().map(recordOf);
  const names = items.flatMap((item) => Object.keys(item).filter((key) => item[key] !== null));
  return { names, text: await resultOf(server, place, answer, method) };
}

function wordOf(value: unknown): string {
  return encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value));
}

/** The values of a member: those that its schema lists, each in a list where it is one, else the samples. */
function valuesOf(member: string, schema: unknown, place: Place): readonly unknown[] {
  const { enum: values, items, type } = recordOf(schema);
  const listed = values ?? recordOf(items)["enum"];
  if (Array.isArray(listed)) return listed.map((value) => (type === "array" ? [value] : value));
  const samples = SAMPLES[member];
  if (samples === undefined)
    throw new Error(`the description has a member ${member}: name values to send`);
  return samples(place);
}

async function placeOn(server: Subject): Promise<Place> {
  const mark = aMark();
  const { thread_id: id } = await aConversation(server, mark);
  const history = await server.threads.history(id, { limit: 10 });
  return { id, mark, checkpoints: history.map(({ checkpoint_id }) => checkpoint_id ?? "") };
}

/** What came of a request: its status, what the answer has of states and threads, and the thread's own state after it. */
async function resultOf(
  server: Subject,
  { id }: Place,
  { status, body }: { readonly status: number; readonly body: unknown },
  method: string,
): Promise<string> {
  if (status >= 400) return status === 400 || status === 422 ? "refused" : `${status}`;
  const items = Array.isArray(body)
    ? body.map(facts)
    : typeof body === "number"
      ? body
      : facts(body);
  if (method === "GET") return shown(items);
  const created = recordOf(body)["thread_id"];
  const after = await server.send(
    "GET",
    `/threads/${typeof created === "string" ? created : id}/state`,
  );
  return shown({ items, after: after.status === 200 ? facts(after.body) : after.status });
}

function facts(body: unknown) {
  const { next, metadata, status, values, extracted, ttl } = recordOf(body);
  const { step, source } = recordOf(metadata);
  const { messages } = recordOf(values);
  const said = [messages ?? []].flat().map((one) => recordOf(one)["content"]);
  return { next, step, source, status, said: next && said, extracted, ttl: ttl && true };
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
