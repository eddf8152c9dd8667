import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { StageFailure, type Driver, type Revision } from "../../../local/drivers/driver";
import { processDriver } from "../../../local/drivers/process";
import { GitRepository } from "../../git";
import { REPOSITORY } from "../../project";
import { registryFailure } from "../../registries";
import { shareCache } from "../../shared-cache";
import { sendAll } from "../load";
import type { Address } from "../servers";
import { conversation, customersOf } from "./conversations";
import { create, type Subject } from "./operations";

/** The real Python server with some threads. */
interface Real {
  readonly subject: Subject;
  readonly stop: () => Promise<void>;
}

const AGENT = "tests/fixtures/agents/python";
const Created = z.object({ thread_id: z.string() });

/**
 * Lets the driver `process` install and start the real Python server, and makes so many threads there; undefined when that
 * fails and the registry of its packages can't be reached.
 */
export async function startReal(
  folder: string,
  count: number,
  signal: AbortSignal,
): Promise<Real | undefined> {
  const dataDir = join(folder, "real");
  await mkdir(dataDir);
  await shareCache(dataDir);
  const driver = processDriver({ dataDir, maxServers: 1 });
  const stop = () => driver.close();
  try {
    const repository = await GitRepository.from(join(REPOSITORY, AGENT), join(folder, "agent"));
    const server = await deploy(driver, repository, signal);
    const ids = await fill(server, count, signal);
    return { subject: { name: `${count} threads, real Python server`, server, ids }, stop };
  } catch (error) {
    await stop();
    const failure = error instanceof StageFailure && (await registryFailure("python"));
    if (!failure) throw error;
    process.stderr.write(`\nNOT MEASURED: the real Python server, as '${failure}' fails here\n\n`);
    return undefined;
  }
}

/** Does what the platform does with the first revision of a deployment. */
async function deploy(
  driver: Driver,
  repository: GitRepository,
  signal: AbortSignal,
): Promise<Address> {
  const revision: Revision = {
    id: "first",
    deploymentId: "real",
    source: "git_host",
    sourceConfig: { repo_url: repository.url },
    sourceRevisionConfig: {
      repo_ref: "main",
      repo_commit_sha: await repository.commitOf("main"),
      graph_config_path: "langgraph.json",
    },
    secrets: [],
  };
  const work = { revision, signal, log: () => undefined };
  await driver.build(work);
  await driver.deploy(work);
  const { port } = new URL(await driver.origin(revision.deploymentId));
  return { port: Number(port), apiKey: "none" };
}

async function fill(server: Address, count: number, signal: AbortSignal): Promise<string[]> {
  const requests = Array.from({ length: count }, (_, index) =>
    create(conversation(index % customersOf(count))),
  );
  const answers = await sendAll(server, requests, { clients: 1, signal });
  return answers.map((answer) => Created.parse(JSON.parse(answer)).thread_id);
}
