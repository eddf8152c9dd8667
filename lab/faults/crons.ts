import { randomUUID } from "node:crypto";
import { AssistantId, defaultAssistantId } from "../../sdk/schema";
import { recordOf, textOf } from "../../shared/records";

type Body = Record<string, unknown>;

/** Answers a request about crons; undefined for any other. */
export type Crons = (
  method: string,
  path: string,
  body: string,
) => { readonly status: number; readonly values: unknown } | undefined;

/**
 * A stand-in for the crons that the built-in agent server does not have, with the Python server's rules: it chooses the ids, a
 * second POST makes a second cron, a PATCH merges metadata and ignores the assistant. None of them fires.
 */
export function cronsOf(now: () => number): Crons {
  const all = new Map<string, Body>();
  const time = () => new Date(now()).toISOString();
  const matching = ({ metadata, assistant_id, thread_id }: Body): Body[] => {
    const has = (cron: Body, filter: Body) =>
      Object.entries(filter).every(([key, value]) => (value ?? cron[key]) === cron[key]);
    return [...all.values()]
      .toReversed()
      .filter((cron) => has(cron, { assistant_id, thread_id }))
      .filter((cron) => has(recordOf(cron["metadata"]), recordOf(metadata)));
  };
  const create = ({ schedule, timezone, enabled, metadata, ...payload }: Body): Body => {
    const cron_id = randomUUID();
    const named = textOf(payload["assistant_id"]) ?? "";
    const assistant_id = AssistantId.safeParse(named).data ?? defaultAssistantId(named);
    const times = { created_at: time(), updated_at: time() };
    const cron = { cron_id, assistant_id, schedule, timezone, enabled, metadata, ...times };
    const { on_run_completed } = payload;
    all.set(cron_id, { ...cron, on_run_completed, payload });
    return all.get(cron_id) ?? {};
  };
  const update = (cron: Body, { assistant_id: _ignored, metadata, ...body }: Body): Body => {
    const own = Object.fromEntries(Object.entries(body).filter(([name]) => name in cron));
    const payload = { ...recordOf(cron["payload"]), ...body };
    const merged = { ...recordOf(cron["metadata"]), ...recordOf(metadata) };
    return Object.assign(cron, { ...own, payload, metadata: merged, updated_at: time() });
  };
  return (method, path, text) => {
    const [, rest] = /^\/runs\/crons(?:\/([^/?]+))?$/.exec(path) ?? [undefined];
    if (!/^\/runs\/crons(\/|$)/.test(path)) return undefined;
    const body = recordOf(text === "" ? {} : JSON.parse(text));
    if (method === "POST") {
      if (rest === undefined) return { status: 200, values: create(body) };
      const found = matching(body);
      const { offset = 0, limit = 10 } = body;
      const page = found.slice(Number(offset), Number(offset) + Number(limit));
      return { status: 200, values: rest === "count" ? found.length : page };
    }
    const cron = all.get(rest ?? "");
    if (cron === undefined) return { status: 404, values: { detail: "Cron not found" } };
    if (method === "PATCH") return { status: 200, values: update(cron, body) };
    if (method === "DELETE") all.delete(rest ?? "");
    return method === "DELETE" ? { status: 204, values: undefined } : { status: 200, values: cron };
  };
}
