import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { identityOf, typeOf } from "../shared/urn";

/** A deployment that the selected stack of a Pulumi project manages. */
export interface StackDeployment {
  readonly id: string;
  readonly urn: string;
  /** The name of the stack. */
  readonly stack: string;
  /** The name that the program gives the resource. */
  readonly logicalName: string;
}

const Resource = z.object({
  urn: z.string(),
  id: z.string().optional(),
  external: z.boolean().optional(),
  delete: z.boolean().optional(),
});
const Export = z.object({ deployment: z.object({ resources: z.array(Resource).default([]) }) });

/**
 * What a command of Pulumi prints about the selected stack of the project that a folder is in; undefined where there is no
 * project, or the command fails, as where no stack is selected.
 */
export async function pulumiOutput(
  folder: string,
  ...command: readonly string[]
): Promise<string | undefined> {
  if (!isInProject(resolve(folder))) return undefined;
  const options = { cwd: folder, maxBuffer: 512 * 1024 * 1024, timeout: 60_000 };
  const running = promisify(execFile)("pulumi", [...command, "--non-interactive"], options);
  running.child.stdin?.end();
  return running.then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

function isInProject(folder: string): boolean {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
  if (names.some((name) => existsSync(join(folder, name)))) return true;
  return dirname(folder) !== folder && isInProject(dirname(folder));
}

/** The deployments in a state. One that a program only reads is not the stack's. */
export function deploymentsIn(state: string): StackDeployment[] {
  return Export.parse(JSON.parse(state)).deployment.resources.flatMap((resource) => {
    const { urn, id, external, delete: isBeingReplaced } = resource;
    if (typeOf(urn) !== "agentserver:index:Deployment" || !id || external || isBeingReplaced)
      return [];
    return [{ id, urn, ...identityOf(urn) }];
  });
}
