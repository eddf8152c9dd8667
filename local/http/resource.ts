import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import type { Store } from "../store";
import type { Env } from "./env";

const HEADER = "X-Pulumi-Urn";
const LONGEST = 1000;
const URN = /^urn:pulumi:[^:]+::[^:]+::.+::.+$/;

const Created = z.object({ id: z.string() });

/** Keeps the URN of the Pulumi resource that a request to a deployment, or its creation, is for. The page shows it. */
export function keepResource({ resources }: Pick<Store, "resources">): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    const urn = urnIn(c.req.header(HEADER));
    if (urn === undefined || !c.res.ok) return;
    const id = c.req.param("deployment_id")?.toLowerCase();
    const created = id === undefined && Created.safeParse(await c.res.clone().json()).data?.id;
    const deploymentId = id ?? created;
    if (deploymentId) resources.set(deploymentId, urn);
  };
}

/** Undefined for anything but a URN: the header is a client's. */
function urnIn(encoded = ""): string | undefined {
  if (encoded.length > LONGEST) return undefined;
  try {
    const urn = decodeURI(encoded);
    return URN.test(urn) ? urn : undefined;
  } catch {
    return undefined;
  }
}
