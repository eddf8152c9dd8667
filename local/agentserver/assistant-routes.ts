import type { Context } from "hono";
import {
  AssistantId,
  CountAssistants,
  CreateAssistant,
  ListAssistantVersions,
  SearchAssistants,
  SetLatestVersion,
  UpdateAssistant,
} from "../../sdk/schema/assistant";
import { NotImplemented } from "./errors";
import { parse } from "./parse";
import { bodyOf } from "./request";
import type { Handler, Stores } from "./routes";

/** The handlers of assistants, which no contract of ours has: they are the real servers'. */
export function assistantRoutes({
  assistants,
  threads,
}: Stores): Record<string, Record<string, Handler>> {
  const runsNoGraph: Handler = (context) => {
    assistants.get(assistantId(context));
    throw new NotImplemented("The built-in agent server runs no graphs: it cannot read this one");
  };
  return {
    "/assistants": {
      POST: async (context) =>
        context.json(assistants.create(await bodyOf(context, CreateAssistant))),
    },
    "/assistants/search": {
      POST: async (context) => {
        const query = await bodyOf(context, SearchAssistants);
        const found = assistants.search({ ...query, limit: query.limit + 1 });
        const next = query.offset + query.limit;
        context.header("X-Pagination-Total", `${query.offset + found.length}`);
        if (found.length > query.limit) context.header("X-Pagination-Next", `${next}`);
        return context.json(found.slice(0, query.limit));
      },
    },
    "/assistants/count": {
      POST: async (context) =>
        context.json(assistants.count(await bodyOf(context, CountAssistants))),
    },
    "/assistants/:assistant_id": {
      GET: (context) => context.json(assistants.get(assistantId(context))),
      PATCH: async (context) =>
        context.json(
          assistants.update(assistantId(context), await bodyOf(context, UpdateAssistant)),
        ),
      DELETE: (context) => {
        const id = assistantId(context);
        assistants.delete(id);
        if (context.req.query("delete_threads") === "true") threads.deleteOf(id);
        return context.body(null, 204);
      },
    },
    "/assistants/:assistant_id/versions": {
      POST: async (context) =>
        context.json(
          assistants.versions(assistantId(context), await bodyOf(context, ListAssistantVersions)),
        ),
    },
    "/assistants/:assistant_id/latest": {
      POST: async (context) => {
        const { version } = await bodyOf(context, SetLatestVersion);
        return context.json(assistants.setLatest(assistantId(context), version));
      },
    },
    "/assistants/:assistant_id/graph": { GET: runsNoGraph },
    "/assistants/:assistant_id/schemas": { GET: runsNoGraph },
  };
}

function assistantId(context: Context): string {
  return parse(AssistantId, context.req.param("assistant_id"));
}
