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
 * What a command of Pulumi prints about the selected stack of the project that a folder is in, or Pulumi's reason why it
 * fails. Neither where there is no project, no selected stack, or no Pulumi.
 */
export async function pulumiOutput(
  folder = process.cwd(),
  ...command: readonly string[]
): Promise<{ readonly output?: string; readonly problem?: string }> {
  if (projectFile(resolve(folder)) === undefined) return {};
  const options = { cwd: folder, maxBuffer: 512 * 1024 * 1024, timeout: 60_000 };
  const running = promisify(execFile)("pulumi", [...command, "--non-interactive"], options);
  running.child.stdin?.end();
  return running.then(
    ({ stdout }) => ({ output: stdout }),
    ({ stderr = "", killed }: { readonly stderr?: string; readonly killed?: boolean }) => {
      const silence = killed ? `\`pulumi ${command.join(" ")}\` does not answer` : undefined;
      const problem = /error: (.*)/s.exec(stderr)?.[1]?.trim() ?? silence;
      return problem === undefined || problem.startsWith("no stack selected") ? {} : { problem };
    },
  );
}

/** The project's own file; undefined where an absolute folder is in none. */
export function projectFile(folder: string): string | undefined {
  const files = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name));
  const parent = dirname(folder);
  return files.find(existsSync) ?? (parent === folder ? undefined : projectFile(parent));
}

/** All resources in a state but Pulumi's own, the stack and providers, which a failed run leaves. */
export function resourcesIn(state: string): z.infer<typeof Resource>[] {
  const { resources } = Export.parse(JSON.parse(state)).deployment;
  return resources.filter(({ urn }) => !/^pulumi:(?:pulumi|providers):/.test(typeOf(urn)));
}

/** The deployments in a state. One that a program only reads is not the stack's. */
export function deploymentsIn(state: string): StackDeployment[] {
  return resourcesIn(state).flatMap((resource) => {
    const { urn, id, external, delete: isBeingReplaced } = resource;
    if (typeOf(urn) !== "agentserver:index:Deployment" || !id || external || isBeingReplaced)
      return [];
    return [{ id, urn, ...identityOf(urn) }];
  });
}
