import { join } from "node:path";
import { GitRepository } from "../../git";
import { REPOSITORY } from "../../project";
import { registryFailure } from "../../registries";
import { RolloutFailure, type AgentPlatform } from "./platform";
import type { Rate } from "./roll-overs";

/** An agent that is measured. */
export interface Subject {
  readonly name: string;
  /** Its files, below this repository's root. */
  readonly files: string;
  /** The language whose registry its install takes packages from; without one it installs nothing. */
  readonly language?: "javascript" | "python";
  /** The goal, from the request that creates the deployment to the first answer. */
  readonly startSeconds: number;
  /** Of the requests while it rolls over. */
  readonly rate: Rate;
}

/** The built-in server is never waited for. */
const FAST: Rate = { perSecond: 200, mostUnanswered: 50 };
/** Requests to a real one may be held for 30 s. */
const SLOW: Rate = { perSecond: 20, mostUnanswered: 600 };

/** The same small agent, served by each of the three servers. */
export const SUBJECTS: readonly Subject[] = [
  {
    name: "built-in",
    files: "examples/quickstart/agent",
    startSeconds: 1,
    rate: FAST,
  },
  {
    name: "JavaScript",
    files: "tests/fixtures/agents/javascript",
    language: "javascript",
    startSeconds: 1.5,
    rate: SLOW,
  },
  {
    name: "Python",
    files: "tests/fixtures/agents/python",
    language: "python",
    startSeconds: 7,
    rate: SLOW,
  },
];

/** A subject in a git repository, installed. */
export interface Prepared extends Subject {
  readonly repoUrl: string;
}

/** Deploys each once, which installs it. One whose registry can't be reached is left out, loudly. */
export async function prepare(
  platform: AgentPlatform,
  { subjects, folder }: { subjects: readonly Subject[]; folder: string },
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const subject of subjects) {
    const files = join(REPOSITORY, subject.files);
    const { url: repoUrl } = await GitRepository.from(files, join(folder, subject.name));
    try {
      await platform.remove(await platform.deploy(subject.name.toLowerCase(), repoUrl));
      prepared.push({ ...subject, repoUrl });
    } catch (error) {
      const command = subject.language && (await registryFailure(subject.language));
      const isInstall = error instanceof RolloutFailure && error.status === "BUILD_FAILED";
      if (!isInstall || command === undefined) throw error;
      process.stderr.write(`\nNOT MEASURED: ${subject.name}, as '${command}' fails here\n\n`);
    }
  }
  return prepared;
}
