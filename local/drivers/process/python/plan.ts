import { join } from "node:path";
import { z } from "zod";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { linesOf } from "../commands";
import { graphConfigPath } from "../source";
import type { Tools } from "./tools";

/** How the public tool builds a graph configuration; all paths are absolute. */
const Plan = z.object({
  /** What is installed, in the tool's order; `cwd` is the folder of relative paths and of uv's settings. */
  steps: z.array(z.object({ cwd: z.string(), packages: z.array(z.string()) })),
  /** Requirements of folders that have a package, whose own ones count. */
  unread: z.array(z.string()).default([]),
  /** Other folders: `isPackage` ones are imported by their name, the modules of others by theirs. */
  folders: z.array(z.object({ path: z.string(), isPackage: z.boolean() })).default([]),
  /** The uv project and its package, whose locked requirements replace the others. */
  lock: z.object({ root: z.string(), package: z.string() }).optional(),
});
export type Plan = z.infer<typeof Plan>;
const Output = z.union([z.object({ refusal: z.string() }), Plan]);

/** Has the public tool read the graph configuration. Throws `StageFailure` with its words if it refuses. */
export async function readPlan(build: Build, tools: Tools): Promise<Plan> {
  const { config } = build;
  const args = [join(__dirname, "plan.py"), config.file];
  const lines = await linesOf(build, { file: tools.python, args, cwd: config.folder });
  if (!lines) throw new StageFailure("langgraph_cli cannot be run; remove the platform's cache");
  const output = Output.parse(JSON.parse(lines.join("")));
  if (!("refusal" in output)) return output;
  const reason = output.refusal.replaceAll(`${config.root}/`, "").replaceAll(config.root, ".");
  throw new StageFailure(
    `graph configuration '${graphConfigPath(build.revision)}' is not valid: ${reason}`,
  );
}
