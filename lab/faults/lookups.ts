import { z } from "zod";
import { newProcessCache } from "../../provider/resource/process-cache";
import { FUNCTIONS } from "../../provider/functions";
import { clockOf, configOf } from "./front-ends";
import type { Scenario } from "./trial";

const Found = z.array(z.looseObject({ id: z.string(), tenantId: z.string() }));

/**
 * What a program looks up before it declares its resources: the deployments of its own workspace and, by an explicit provider
 * with the same key, of another one. Returns those that a function finds in the wrong one.
 */
export async function lookUp(scenario: Scenario): Promise<string[]> {
  const caller = { processCache: newProcessCache(), clock: clockOf(scenario) };
  const strangers: string[] = [];
  for (const { workspaceId, settings } of [scenario.workspace, scenario.elsewhere]) {
    const access = configOf(settings).rawConfig;
    const call = { caller, args: {}, access };
    for (const { id, tenantId } of Found.parse(await FUNCTIONS.listDeployments.call(call)))
      if (tenantId !== workspaceId)
        strangers.push(`a list of ${workspaceId} has ${id} of workspace ${tenantId}`);
  }
  return strangers;
}
