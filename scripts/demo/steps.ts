import { join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import type { LocalPlatform } from "pulumi-agentserver/local";
import { AgentServer, ControlPlane, NotFound } from "pulumi-agentserver/sdk";
import { GitRepository } from "../git";
import { type Project, REPOSITORY } from "../project";
import type { Actor } from "./conversation";
import { controlPlaneRequests, runningServers } from "./observation";
import { type Facts, hold, type Report } from "./report";

/** All that the steps work with. */
export interface Stage {
  readonly report: Report;
  readonly project: Project;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly actor: Actor;
  /** The value of a secret variable: it may be seen nowhere. */
  readonly secret: string;
  readonly start: () => Promise<LocalPlatform>;
}

/** Runs the demo's steps, and ends the platform whatever happens. */
export async function runSteps(stage: Stage): Promise<void> {
  const { report } = stage;
  let platform: LocalPlatform | undefined;
  try {
    await report.step("platform", "Start a local platform", async () => {
      platform = await stage.start();
      report.say(`A control plane and a place to run agent servers: ${platform.url}`);
      return { url: platform.url };
    });
    if (platform !== undefined) await deploySteps(stage, platform);
  } finally {
    await platform?.close();
  }
}

async function deploySteps(stage: Stage, platform: LocalPlatform): Promise<void> {
  const { report, project, secret, actor } = stage;
  const say = (text: string): void => report.say(text);
  const show = (piece: string): void => report.quote(piece);
  const client = new ControlPlane({ ...platform, baseUrl: platform.url });
  const seen = { threadId: "", deploymentId: "", url: "", commit: "" };
  let repository: GitRepository | undefined;
  let stack: Stack | undefined;
  const options = { onOutput: show, signal: stage.signal, color: "never" } as const;

  const step = async (
    name: string,
    title: string,
    work: (repository: GitRepository, stack: Stack) => Promise<Facts>,
  ): Promise<void> => {
    stage.signal.throwIfAborted();
    await report.step(name, title, async () => {
      if (repository === undefined || stack === undefined) throw new Error("there is no stack yet");
      return work(repository, stack);
    });
  };

  await report.step("repository", "Make a git repository of the agent", async () => {
    const dir = join(project.dir, "support-agent");
    repository = await GitRepository.from(join(REPOSITORY, actor.folder), dir);
    await repository.tag("v1");
    seen.commit = await repository.commitOf("v1");
    report.say(`Branch main and tag v1 at ${seen.commit.slice(0, 12)}`);
    // The real engine, with a file backend in the project's folder.
    stack = await LocalWorkspace.createOrSelectStack(
      { stackName: "demo", workDir: project.dir },
      { envVars: { ...project.environment } },
    );
    return { repoUrl: repository.url, commit: seen.commit };
  });

  await step("up", "pulumi up: deploy the tag v1", async (git, pulumi) => {
    await pulumi.setAllConfig(await configuration(stage, platform, git));
    const { outputs } = await pulumi.up(options);
    seen.url = String(outputs["url"]?.value);
    seen.deploymentId = String(outputs["deploymentId"]?.value);
    return { url: seen.url, deploymentId: seen.deploymentId };
  });

  await step("thread", "Talk to the agent server", async () => {
    const agent = new AgentServer({ url: seen.url });
    seen.threadId = await actor.begin(agent, seen.commit, say);
    hold(!report.printed.includes(secret), "the secret's value is in no output");
    return { threadId: seen.threadId, commit: seen.commit };
  });

  await step("roll-over", "Change the agent, tag v2, pulumi up again", async (git, pulumi) => {
    await git.edit(...actor.edit);
    const commit = await git.commit("Orders arrive sooner");
    await git.tag("v2");
    await pulumi.setConfig("quickstart:repoRef", { value: "refs/tags/v2" });
    await pulumi.up(options);
    hold((await runningServers(project.dir)) === 1, "the old revision's server has stopped");
    await actor.goOn(new AgentServer({ url: seen.url }), seen.threadId, commit, say);
    report.say(`The server now runs ${commit.slice(0, 12)}; the conversation is still there`);
    return { commit };
  });

  await step("no-op", "pulumi preview: nothing to do, nothing asked", async (_git, pulumi) => {
    const before = await controlPlaneRequests(platform);
    const { changeSummary } = await pulumi.preview(options);
    const requests = (await controlPlaneRequests(platform)) - before;
    hold(Object.keys(changeSummary).join() === "same", "nothing would change");
    hold(requests === 0, "no request was sent to the control plane");
    report.say(`Requests sent to the control plane: ${requests}`);
    return { requests };
  });

  if (stage.keep) return keepRunning(stage, platform, seen.url);

  await step(
    "replace",
    "Change the repository, look at the plan, then destroy",
    async (_, pulumi) => {
      await pulumi.setConfig("quickstart:repoUrl", { value: "file:///srv/git/other.git" });
      const { stdout, changeSummary } = await pulumi.preview(options);
      hold(changeSummary.replace === 1, "the preview shows a replacement");
      hold(
        stdout.includes("its threads and database are deleted with it"),
        "the preview says so in words",
      );
      await pulumi.destroy(options);
      const gone = await client.deployments.get(seen.deploymentId).then(
        () => false,
        (error: unknown) => error instanceof NotFound,
      );
      hold(gone, "the deployment answers 404");
      report.say("GET of the deployment answers 404");
      hold(!report.printed.includes(secret), "the secret's value is in no output");
      return { gone };
    },
  );
}

async function configuration(stage: Stage, platform: LocalPlatform, git: GitRepository) {
  const { secret } = stage;
  return {
    "agentserver:baseUrl": { value: platform.url },
    "agentserver:apiKey": { value: platform.apiKey, secret: true },
    "agentserver:workspaceId": { value: platform.workspaceId },
    "quickstart:integrationId": { value: await integrationId(platform) },
    "quickstart:repoUrl": { value: git.url },
    "quickstart:repoRef": { value: "refs/tags/v1" },
    "quickstart:modelApiKey": { value: secret, secret: true },
  };
}

async function integrationId({ url, apiKey, workspaceId }: LocalPlatform): Promise<string> {
  const client = new ControlPlane({ baseUrl: url, apiKey, workspaceId });
  const [integration] = await Array.fromAsync(client.integrations.list());
  hold(integration !== undefined, "the platform has a git integration");
  return integration?.id ?? "";
}

function keepRunning({ report, project, signal }: Stage, platform: LocalPlatform, url: string) {
  const environment = Object.entries(project.environment)
    .map(([name, value]) => `export ${name}='${value}'`)
    .join("\n");
  report.say(
    [
      "",
      "The platform and the deployment go on until you press Ctrl-C. In another terminal:",
      "",
      `curl -s ${url}/info`,
      `curl -s -X POST ${url}/threads -H 'content-type: application/json' -d '{}'`,
      "",
      `cd ${project.dir}`,
      environment,
      `export PATH="${join(REPOSITORY, "node_modules", ".bin")}:$PATH"`,
      "pulumi stack output",
      "pulumi up",
      "",
      `Its keys are in ${join(project.dir, "platform", "platform.json")} (${platform.url}).`,
    ].join("\n"),
  );
  return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
}
