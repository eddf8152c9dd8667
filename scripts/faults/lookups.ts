import { z } from "zod";
import { newProcessCache } from "../../provider/resource/process-cache";
import { FUNCTIONS } from "../../provider/functions";
import type { Clock } from "../../shared/clock";
import { messageOf } from "../../shared/errors";
import { canariesOf } from "./canary";
import { configOf } from "./front-ends";
import type { ResourceTypeName } from "./history";
import type { StepError } from "./provider";
import type { Surroundings } from "./trial";
import type { Workspace } from "./world";

/** The functions that list the things of a control plane. */
const LISTS: Partial<Record<ResourceTypeName, (typeof FUNCTIONS)[keyof typeof FUNCTIONS]>> = {
  deployment: FUNCTIONS.listDeployments,
  listener: FUNCTIONS.listListeners,
  oauthProvider: FUNCTIONS.listOAuthProviders,
};

/** A service may show no workspace, or write its id otherwise. */
const Found = z.array(
  z.looseObject({ id: z.string(), tenantId: z.string().toLowerCase().nullish().catch(null) }),
);

/** The end of the functions that a program calls. */
interface LookedUp {
  /** The one that ends the program. */
  readonly errors: readonly StepError[];
  readonly violations: readonly string[];
}

/**
 * What a program looks up before it declares its resources: the things of some kinds in its own workspace and, by an explicit
 * provider with the same key, in another one.
 */
export async function lookUp(
  { world, random, skewMs }: Pick<Surroundings, "world" | "random" | "skewMs">,
  workspaces: readonly Workspace[],
  kinds: readonly ResourceTypeName[],
): Promise<LookedUp> {
  const clock: Clock = {
    now: () => world.now() + skewMs,
    random: () => random.next(),
    sleep: (milliseconds) => world.advance(milliseconds),
  };
  const caller = { processCache: newProcessCache(), clock };
  const violations: string[] = [];
  try {
    for (const list of new Set(kinds.flatMap((kind) => LISTS[kind] ?? [])))
      for (const { workspaceId, settings } of workspaces) {
        const access = configOf(settings).rawConfig;
        const found = Found.parse(await list.call({ caller, args: {}, access, isSecret: false }));
        for (const { id, tenantId } of found.filter(
          (one) => one.tenantId && one.tenantId !== workspaceId,
        ))
          violations.push(`${list.name} in ${workspaceId} finds ${id} of workspace ${tenantId}`);
      }
    return { errors: [], violations };
  } catch (error) {
    violations.push(...canariesOf(error));
    return { errors: [{ urn: "", message: messageOf(error) }], violations };
  }
}
