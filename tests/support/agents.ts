import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { LogPage, type LogType, Revision } from "../../sdk/schema";
import { REPOSITORY } from "../../scripts/project";
import { until } from "../local/children";
import type { TestPlatform } from "./platform";
import { parsed } from "./values";

/** Languages that the support agent is written in, each with a real server of its own. */
export type Language = "javascript" | "python";

/** The files of the support agent, which is written the same in both languages. */
export async function agentFiles(language: Language): Promise<Record<string, string>> {
  const folder = join(REPOSITORY, "tests/fixtures/agents", language);
  const names = await readdir(folder);
  const files = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  return Object.fromEntries(await Promise.all(files));
}

/** The end of a deployment's latest revision, and its logs, line by line. */
export interface Rollout {
  readonly status: string;
  readonly build: readonly string[];
  readonly deploy: readonly string[];
}

const ENDED = /^(DEPLOYED|.*FAILED|SKIPPED|INTERRUPTED)$/;
const LIMIT_SECONDS = 900;

/** Waits for the end of a deployment's latest revision. */
export async function untilRolledOut(test: TestPlatform, deploymentId: string): Promise<Rollout> {
  const { latest_revision_id: id } = await test.get(deploymentId);
  const path = `/v2/deployments/${deploymentId}/revisions/${id}`;
  let status = "";
  await until(
    "the end of the revision",
    async () => {
      const { body } = await test.request("GET", path);
      status = parsed(Revision, body).status;
      return ENDED.test(status);
    },
    LIMIT_SECONDS,
  );
  const lines = async (type: LogType) => {
    const { body } = await test.request("GET", `${path}/logs?type=${type}&order=asc&limit=1000`);
    return parsed(LogPage, body).logs.map(({ message }) => message);
  };
  return { status, build: await lines("build"), deploy: await lines("deploy") };
}

/** The texts of a conversation, in order. */
export function contentsOf(values: unknown): string[] {
  return parsed(Conversation, values).messages.map(({ content }) => content);
}

const Conversation = z.object({ messages: z.array(z.object({ content: z.string() })) });

/** Skips the tests of a real server, loudly, when the registry can't be reached that its packages come from. */
export async function skipWithoutRegistry(context: Mocha.Context, language: Language) {
  const [program, ...args] = PINGS[language];
  const isReached = await promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
  if (isReached) return;
  const failure = `${program} ${args.join(" ")}`;
  process.stderr.write(`\nNOT TESTED: the real ${language} server, as '${failure}' fails here\n\n`);
  context.skip();
}

/** Each asks a registry for something small, as the process driver's installs do: with the user's settings. */
const PINGS = {
  javascript: ["npm", "ping"],
  python: ["python3", "-m", "pip", "download", "--no-deps", "--dest", tmpdir(), "idna==3.20"],
} as const;
