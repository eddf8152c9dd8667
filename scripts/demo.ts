import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { startLocalPlatform } from "pulumi-agentserver/local";
import { real as realAgent, standIn } from "./demo/conversation";
import { Report } from "./demo/report";
import { runSteps } from "./demo/steps";
import { makeProject, makePulumiProject, REPOSITORY } from "./project";
import { messageOf } from "../shared/errors";

async function main(): Promise<void> {
  const {
    keep = false,
    json,
    real,
  } = new Command("npm run demo --")
    .description("Deploys an agent server with the real Pulumi engine, onto a local platform.")
    .option("--real", "with a graph in Python on the real agent server (Python 3.11 or newer)")
    .option("--keep", "leave the deployment running, and say how to use it by hand")
    .option("--json", 'print a last line {"steps":[…]} for scripts')
    .parse()
    .opts();
  process.env["PATH"] = `${join(REPOSITORY, "node_modules", ".bin")}:${process.env["PATH"]}`;
  const stop = new AbortController();
  // Not `once`: a library that watches signals too would take the missing listener for leave to end the process.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));

  const project = await makeProject("agentserver-demo-", ["examples/quickstart/index.ts"]);
  await makePulumiProject(project, "quickstart");
  const report = new Report(keep ? 6 : 7, stop.signal);
  const dataDir = join(project.dir, "platform");
  const started = performance.now();
  try {
    await runSteps({
      report,
      project,
      keep,
      signal: stop.signal,
      actor: real ? realAgent : standIn,
      secret: randomBytes(16).toString("hex"),
      start: () =>
        startLocalPlatform({ dataDir, port: 0, agentServer: real ? "real" : "built-in" }),
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    report.write(`\nAll ${report.steps.length} steps held, in ${seconds} s.\n`);
  } catch (error) {
    report.write(`\n      ✗ ${messageOf(stop.signal.aborted ? stop.signal.reason : error)}\n`);
    process.exitCode = stop.signal.aborted ? 130 : 1;
  } finally {
    await project.remove();
    if (json) process.stdout.write(`${JSON.stringify({ steps: report.steps })}\n`);
  }
}

void main();
