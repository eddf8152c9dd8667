import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { LocalPlatform } from "pulumi-agentserver/local";
import { AgentServer, ControlPlane, NotFound } from "pulumi-agentserver/sdk";
import { makeRepository } from "../git";
import { type Project, REPOSITORY } from "../project";
import type { Actor } from "./conversation";
import { hold, type Report } from "./report";

/** All that the steps work with. */
interface Stage {
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
  const { platform } = await report.step("platform", "Start a local platform", async () => {
    const started = await stage.start();
    report.say(`A control plane and a place to run agent servers: ${started.url}`);
    return { platform: started, facts: { url: started.url } };
  });
  try {
    await deploySteps(stage, platform);
  } finally {
    await platform.close();
  }
}

async function deploySteps(stage: Stage, platform: LocalPlatform): Promise<void> {
  const { report, project, secret, actor, signal } = stage;
  const say = (text: string): void => report.say(text);
  const client = new ControlPlane({ ...platform, baseUrl: platform.url });
  const onOutput = (piece: string): void => report.quote(piece);
  const options = { onOutput, signal, color: "never" } as const;

  const intent = "Make a git repository of the agent";
  const { git, pulumi, facts } = await report.step("repository", intent, async () => {
    const dir = join(project.dir, "support-agent");
    const repository = await makeRepository(join(REPOSITORY, actor.folder), dir);
    const { first: commit, url: repoUrl } = repository;
    say(`Branch main and tag v1 at ${commit.slice(0, 12)}`);
    // The real engine, with a file backend in the project's folder.
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName: "demo", workDir: project.dir },
      { envVars: { ...project.environment } },
    );
    return { git: repository, pulumi: stack, facts: { repoUrl, commit } };
  });

  const deployed = await report.step("up", "pulumi up: deploy the tag v1", async () => {
    const [integration] = await Array.fromAsync(client.integrations.list());
    hold(integration !== undefined, "the platform has a git integration");
    await pulumi.setAllConfig({
      "agentserver:baseUrl": { value: platform.url },
      "agentserver:apiKey": { value: platform.apiKey, secret: true },
      "agentserver:workspaceId": { value: platform.workspaceId },
      "quickstart:integrationId": { value: String(integration?.id) },
      "quickstart:repoUrl": { value: git.url },
      "quickstart:repoRef": { value: "refs/tags/v1" },
      "quickstart:modelApiKey": { value: secret, secret: true },
    });
    const { outputs } = await pulumi.up(options);
    const [url, deploymentId] = [outputs["url"]?.value, outputs["deploymentId"]?.value];
    return { facts: { url: String(url), deploymentId: String(deploymentId) } };
  });
  const { url, deploymentId } = deployed.facts;

  const thread = await report.step("thread", "Talk to the agent server", async () => {
    const threadId = await actor.begin(new AgentServer({ url }), facts.commit, say);
    hold(!report.printed.includes(secret), "the secret's value is in no output");
    return { facts: { threadId, commit: facts.commit } };
  });

  await report.step("roll-over", "Change the agent, tag v2, pulumi up again", async () => {
    const [file, from, to] = actor.edit;
    const path = join(git.dir, file);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(from, to));
    const commit = await git.commit("Orders arrive sooner", "v2");
    await pulumi.setConfig("quickstart:repoRef", { value: "refs/tags/v2" });
    await pulumi.up(options);
    hold((await runningServers(project.dir)) === 1, "the old revision's server has stopped");
    await actor.goOn(new AgentServer({ url }), thread.facts.threadId, commit, say);
    say(`The server now runs ${commit.slice(0, 12)}; the conversation is still there`);
    return { facts: { commit } };
  });

  await report.step("no-op", "pulumi preview: nothing to do, nothing asked", async () => {
    const before = await controlPlaneRequests(platform);
    const { changeSummary } = await pulumi.preview(options);
    const requests = (await controlPlaneRequests(platform)) - before;
    hold(Object.keys(changeSummary).join() === "same", "nothing would change");
    hold(requests === 0, "no request was sent to the control plane");
    say(`Requests sent to the control plane: ${requests}`);
    return { facts: { requests } };
  });

  if (stage.keep) return keepRunning(stage, platform, url);

  const title = "Change the repository, look at the plan, then destroy";
  await report.step("replace", title, async () => {
    await pulumi.setConfig("quickstart:repoUrl", { value: "file:///srv/git/other.git" });
    const { stdout, changeSummary } = await pulumi.preview(options);
    hold(changeSummary.replace === 1, "the preview shows a replacement");
    const words = "its threads and database are deleted with it";
    hold(stdout.includes(words), "the preview says so in words");
    await pulumi.destroy(options);
    const gone = await client.deployments.get(deploymentId).then(
      () => false,
      (error: unknown) => error instanceof NotFound,
    );
    hold(gone, "the deployment answers 404");
    say("GET of the deployment answers 404");
    hold(!report.printed.includes(secret), "the secret's value is in no output");
    return { facts: { gone } };
  });
}

/** Number of requests to the control plane, as the platform counts them itself. */
async function controlPlaneRequests({ url, adminKey }: LocalPlatform): Promise<number> {
  const response = await fetch(`${url}/_local/requests`, { headers: { "x-local-key": adminKey } });
  const counts: number[] = Object.values(Object(await response.json()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Number of running agent servers whose data lies below a folder, by the system's process list. */
async function runningServers(dir: string): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "ppid=,args="]);
  const servers = stdout
    .split("\n")
    .filter((line) => line.includes(dir) && /agentserver\/main| dev --no-browser/.test(line));
  // Each server has a keeper beside it, which is named with the same arguments.
  return servers.filter((line) => !/\bsh\b/.test(line)).length;
}

function keepRunning({ report, project, signal }: Stage, platform: LocalPlatform, url: string) {
  const variables = Object.entries(project.environment).map(
    ([name, value]) => `export ${name}='${value}'`,
  );
  report.say(`
The platform and the deployment go on until you press Ctrl-C. In another terminal:

curl -s ${url}/info
curl -s -X POST ${url}/threads -H 'content-type: application/json' -d '{}'

cd ${project.dir}
${variables.join("\n")}
export PATH="${join(REPOSITORY, "node_modules", ".bin")}:$PATH"
pulumi stack output
pulumi up

Its keys are in ${join(project.dir, "platform", "platform.json")} (${platform.url}).`);
  return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
}
