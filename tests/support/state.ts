import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Deployment as StackState } from "@pulumi/pulumi/automation";
import type { LifecycleName } from "../../provider/resource-types";
import type { Project } from "../../scripts/project";
import { recordOf } from "../../shared/records";

/** A resource as the state holds it. */
export interface StateResource {
  /** The name that the program gave it. */
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly initErrors: readonly string[];
  /** The place of its declaration: `project:///index.ts#4,15`. */
  readonly sourcePosition: string;
  readonly stackTrace: unknown;
}

/** The one line that states keep of us, for each kind; old states are refreshed and destroyed through it. */
export const PROVIDER_TEXTS: Readonly<Record<LifecycleName, string>> = {
  deployment:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").deployment;',
  listener:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").listener;',
  oauthProvider:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").oauthProvider;',
  thread:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").thread;',
  cron: 'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").cron;',
  assistant:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").assistant;',
};

/**
 * The state as the last run left it in the backend, secrets being encrypted. Reading the file takes no process, which an
 * export does.
 */
export async function storedState(
  { environment }: Project,
  project: string,
  stack: string,
): Promise<StackState> {
  const backend = fileURLToPath(environment["PULUMI_BACKEND_URL"] ?? "");
  const file = `${backend}/.pulumi/stacks/${project}/${stack}.json`;
  const { version, checkpoint } = JSON.parse(await readFile(file, "utf8"));
  return { version, deployment: checkpoint.latest };
}

/** The deployments of a state. */
export function deploymentsIn(state: StackState): StateResource[] {
  return resourcesIn(state, "Deployment");
}

/** The resources of one of our kinds in a state, by default of all of them. */
export function resourcesIn({ deployment }: StackState, kind = ""): StateResource[] {
  const resources: unknown = deployment.resources;
  if (!Array.isArray(resources)) return [];
  return resources
    .filter(({ type }) => isOurs(String(type), kind))
    .map(({ urn, id, inputs, outputs, initErrors, sourcePosition, stackTrace }) => ({
      name: logicalName(String(urn)),
      id: String(id),
      inputs: recordOf(inputs),
      outputs: recordOf(outputs),
      initErrors: Array.isArray(initErrors) ? initErrors : [],
      sourcePosition: String(sourcePosition),
      stackTrace,
    }));
}

/** Whether a type token is one of ours, through either front end. */
export function isOurs(type: string, kind = ""): boolean {
  const prefixes = ["pulumi-nodejs:dynamic/agentserver:", "agentserver:index:"];
  return prefixes.some((prefix) => type.startsWith(prefix + kind));
}

/** Any resource as the state holds it. */
export interface StoredResource {
  readonly urn: string;
  readonly outputs: Record<string, unknown>;
}

/** Every resource of a state, also the stack and its providers. */
export function storedResources({ deployment }: StackState): StoredResource[] {
  const resources: unknown = deployment.resources;
  if (!Array.isArray(resources)) return [];
  return resources.map(({ urn, outputs }) => ({ urn: String(urn), outputs: recordOf(outputs) }));
}

/** The name that a program gave to the resource of a URN. */
export function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** A resource's types, from the outside in and without their packages, and its name: `Team$Deployment support`. */
export function shortName(urn: string): string {
  const types = (urn.split("::")[2] ?? "").split("$").map((type) => type.split(":").at(-1));
  return `${types.join("$")} ${logicalName(urn)}`;
}

/** All files below a folder, such as those of a backend, as they lie on the disk. */
export async function textsIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((file) => readFile(join(file.parentPath, file.name), "utf8"));
  return (await Promise.all(texts)).join("\n");
}
