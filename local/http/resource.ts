import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { reportFailure } from "../platform/stderr";
import type { Resource, Store } from "../store";
import type { Env } from "./env";

const HEADER = "X-Pulumi-Urn";
const LONGEST = 1000;
const BEGINNING = "urn:pulumi:";

const Created = z.object({ id: z.string() });

/** Keeps the Pulumi resource that a request to a deployment, or its creation, is for. The page shows it. */
export function keepResource({ resources }: Pick<Store, "resources">): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    const resource = resourceIn(c.req.header(HEADER));
    if (resource === undefined || !c.res.ok) return;
    const id = c.req.param("deployment_id")?.toLowerCase();
    const created = id === undefined && Created.safeParse(await c.res.clone().json()).data?.id;
    const deploymentId = id ?? created;
    if (!deploymentId) return;
    try {
      resources.set(deploymentId, resource);
    } catch (error) {
      // The request itself has been carried out.
      reportFailure(`keep the Pulumi resource of deployment ${deploymentId}`, error);
    }
  };
}

/** `urn:pulumi:<stack>::<project>::<type>::<name>`; undefined for anything else: the header is a client's. */
function resourceIn(encoded = ""): Resource | undefined {
  if (encoded.length > LONGEST) return undefined;
  const [stack = "", project, type, ...names] = decoded(encoded).split("::");
  const name = names.join("::");
  if (!stack.startsWith(BEGINNING) || !project || !type || !name) return undefined;
  return { stack: stack.slice(BEGINNING.length), project, name };
}

function decoded(encoded: string): string {
  try {
    return decodeURI(encoded);
  } catch {
    return "";
  }
}
