import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { REPOSITORY } from "../../../scripts/project";

/** The folder of the example. */
export const EXAMPLE = join(REPOSITORY, "examples/gitops");

const Step = z.looseObject({
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const Permissions = z.record(z.string(), z.string());
const Concurrency = z.object({
  group: z.string(),
  queue: z.string().optional(),
  "cancel-in-progress": z.boolean().default(false),
});
const Job = z.looseObject({
  if: z.string().default(""),
  environment: z.string().optional(),
  permissions: Permissions.optional(),
  concurrency: Concurrency.optional(),
  "timeout-minutes": z.number().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).optional(),
  steps: z.array(Step).default([]),
});
const Workflow = z.object({
  on: z.union([z.string(), z.record(z.string(), z.unknown())]),
  permissions: Permissions.optional(),
  concurrency: Concurrency.optional(),
  jobs: z.record(z.string(), Job),
});
const Action = z.object({ runs: z.object({ steps: z.array(Step) }) });
export type Workflow = z.infer<typeof Workflow>;
export type Step = z.infer<typeof Step>;
export type Job = z.infer<typeof Job>;

const filesIn = (folder: string): string[] =>
  readdirSync(join(EXAMPLE, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:yaml|sh)$/.test(file))
    .map((file) => `${folder}/${file}`);
export const readExample = (file: string): string => readFileSync(join(EXAMPLE, file), "utf8");

/** The workflows by their names, without `.yaml`. */
export function workflows(): Record<string, Workflow> {
  return Object.fromEntries(
    filesIn(".github/workflows").map((file) => [
      basename(file, ".yaml"),
      Workflow.parse(parse(readExample(file))),
    ]),
  );
}

/** Every job, as `workflow/job`, with the workflow that it is part of. */
export function jobs(): (readonly [name: string, job: Job, workflow: Workflow])[] {
  return Object.entries(workflows()).flatMap(([name, workflow]) =>
    Object.entries(workflow.jobs).map(
      ([job, value]) => [`${name}/${job}`, value, workflow] as const,
    ),
  );
}

/** The steps of all workflows and of the action that they share. */
export function steps(): Step[] {
  const actions = filesIn(".github/actions").map((file) => Action.parse(parse(readExample(file))));
  return [...jobs().flatMap(([, job]) => job.steps), ...actions.flatMap(({ runs }) => runs.steps)];
}

/** The text of every workflow and action. */
export function texts(): string[] {
  return filesIn(".github").map(readExample);
}

/** The paths of the scripts in the example. */
export function scripts(): string[] {
  return filesIn("scripts");
}
