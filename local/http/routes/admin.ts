import { Hono, type Context } from "hono";
import { z } from "zod";
import { isSameKey } from "../access";
import type { Admin } from "../../admin";
import type { Env } from "../env";
import { notFound, problem } from "../../control-plane/problems";
import { Push } from "../../rollout/pushes";
import { Id } from "./route";
import { InvalidRequest, readJson, refuseInvalidText, toProblems } from "../validation";
import { Fault } from "../../admin/faults";
import { Outcome } from "../../rollout/outcomes";

const Clock = z.object({ advanceSeconds: z.number().min(0) });
const Named = z.object({ name: z.string().min(1) });
const Tags = z.object({ deploymentId: Id, tagValueIds: z.array(z.string()) });

/** Whoever holds the platform's admin key, and what they can do. */
export interface Operator {
  readonly admin: Admin;
  readonly adminKey: string;
  /** Ends the platform, and with it every connection. */
  readonly close: () => Promise<void>;
  /** Undefined without a page. */
  readonly pageOrigin?: string | undefined;
}

/** The admin API below `/_local/`, opened by the admin key in `X-Local-Key`. */
export function adminRoutes({ admin, adminKey, close }: Operator): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    if (isSameKey(c.req.header("X-Local-Key") ?? "", adminKey)) return next();
    throw problem(401, "the admin key is missing or wrong: send it as X-Local-Key");
  });
  app.get("/requests", (c) => c.json(admin.requests()));
  app.delete("/requests", (c) => {
    admin.clearRequests();
    return c.body(null, 204);
  });
  app.post("/faults", async (c) => {
    admin.addFault(await read(c, Fault));
    return c.body(null, 204);
  });
  app.delete("/faults", (c) => {
    admin.clearFaults();
    return c.body(null, 204);
  });
  app.post("/outcomes", async (c) => {
    admin.addOutcome(await read(c, Outcome));
    return c.body(null, 204);
  });
  app.delete("/outcomes", (c) => {
    admin.clearOutcomes();
    return c.body(null, 204);
  });
  app.post("/clock", async (c) => {
    const { advanceSeconds } = await read(c, Clock);
    const now = await admin.advanceClock(advanceSeconds).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      const loc = ["body", "advanceSeconds"];
      throw new InvalidRequest([
        { loc, msg: `Value error, ${error.message}`, type: "value_error" },
      ]);
    });
    return c.json({ now: now.toISOString() });
  });
  app.post("/pushes", async (c) => c.json({ deployments: admin.push(await read(c, Push)) }));
  app.post("/workspaces", async (c) => {
    const { name } = await read(c, Named);
    return c.json(admin.addWorkspace(name), 201);
  });
  app.post("/leftover-names", async (c) => {
    const { name } = await read(c, Named);
    admin.addLeftoverName(name);
    return c.body(null, 204);
  });
  app.post("/tags", async (c) => {
    const { deploymentId, tagValueIds } = await read(c, Tags);
    if (!admin.setTags(deploymentId, tagValueIds)) throw notFound("deployment", deploymentId);
    return c.body(null, 204);
  });
  // The connection closes when the platform has closed.
  app.post("/stop", async (c) => {
    await close();
    return c.body(null, 204);
  });
  return app;
}

async function read<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const body = await readJson(c);
  const { success, data, error } = schema.safeParse(body);
  if (!success) throw new InvalidRequest(toProblems(error, "body", body));
  refuseInvalidText(data);
  return data;
}
