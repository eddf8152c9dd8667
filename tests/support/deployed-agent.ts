import { join } from "node:path";
import type { LocalPlatformOptions } from "../../local";
import { AgentServer } from "../../sdk";
import { shareCache } from "../../lab/shared-cache";
import { aFolder, removeFolder } from "../local/children";
import { makeRepository } from "../local/repository";
import { agentFiles, skipWithoutRegistry, untilRolledOut } from "./agents";
import type { Language, Rollout } from "./agents";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "./platform";

export type DeployedAgent = ReturnType<ReturnType<typeof useDeployedAgent>>;

interface DeployedAgentOptions extends Pick<LocalPlatformOptions, "dialect"> {
  /** In place of the agent's own. */
  readonly files?: Readonly<Record<string, string>>;
}

const INSTALL_LIMIT_MS = 900_000;

/**
 * Deploys the support agent once for all tests of the `describe` that this is called in. What it needs is installed,
 * unless an earlier run has done so; the tests are skipped, loudly, when the registry can't be reached that it is to come
 * from.
 */
export function useDeployedAgent(
  language: Language,
  { files: changes = {}, ...options }: DeployedAgentOptions = {},
) {
  let dataDir = "";
  let test: TestPlatform | undefined;
  let agent: Awaited<ReturnType<typeof deploy>>;

  const deploy = async (context: Mocha.Context) => {
    dataDir = await aFolder();
    const files = { ...(await agentFiles(language)), ...changes };
    const repository = await makeRepository(join(dataDir, "repository"), files);
    test = await startTestPlatform({ ...options, dataDir, driver: "process", agentServer: "real" });
    await shareCache(dataDir);
    const { source_config } = aGitDeployment(test.integrationId);
    const { id: deploymentId, url: shown } = await test.create({
      source_config: { ...source_config, repo_url: repository.url },
      secrets: [{ name: "SHOP", value: "Acme" }],
    });
    /** The progress of the first revision. */
    const rollout = await succeeded(context, await untilRolledOut(test, deploymentId), language);
    const url = shown ?? "";
    const client = new AgentServer({ url });
    return { language, test, repository, deploymentId, url, client, rollout };
  };
  before(async function () {
    agent = await deploy(this.timeout(INSTALL_LIMIT_MS));
  });
  after(async () => {
    await test?.close();
    await removeFolder(dataDir);
  });
  return () => agent;
}

/** Deploys the newest commit of its repository. Skips a test, loudly, whose packages come from a registry out of reach. */
export async function revise(
  context: Mocha.Context,
  { test, deploymentId, language }: DeployedAgent,
): Promise<Rollout> {
  const changes = { source_revision_config: { repo_ref: "main" } };
  await test.request("PATCH", `/v2/deployments/${deploymentId}`, changes);
  return succeeded(context, await untilRolledOut(test, deploymentId), language);
}

async function succeeded(
  context: Mocha.Context,
  rollout: Rollout,
  language: Language,
): Promise<Rollout> {
  const { status, build, deploy } = rollout;
  if (status === "BUILD_FAILED") await skipWithoutRegistry(context, language);
  if (status !== "DEPLOYED") throw new Error([status, ...build, ...deploy].join("\n"));
  return rollout;
}
