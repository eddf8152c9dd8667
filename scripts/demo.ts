import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLocalPlatform } from "pulumi-agentserver/local";
import { real as realAgent, standIn } from "./demo/conversation";
import { Report, StepFailed } from "./demo/report";
import { runSteps, type Stage } from "./demo/steps";
import { makeProject, makePulumiProject, REPOSITORY } from "./project";
import { messageOf } from "../shared/errors";

const USAGE = `npm run demo [-- --real] [-- --keep] [-- --json]

Deploys an agent server from a git repository with the real Pulumi engine, onto a local platform.
  --real   with a graph in Python on the real agent server, which is installed first (Python 3.11 or newer)
  --keep   leave the deployment and the platform running, and say how to use them by hand
  --json   print a last line {"steps":[…]} for scripts
`;

async function main(): Promise<void> {
  const { keep, json, real } = readArguments();
  process.env["PATH"] = `${join(REPOSITORY, "node_modules", ".bin")}:${process.env["PATH"]}`;
  const report = new Report(keep ? 6 : 7);
  const stop = new AbortController();
  // Not `once`: a library that watches signals too would take the missing listener for leave to end the process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => stop.abort(new StepFailed(`stopped by ${signal}`)));

  const project = await makeProject("agentserver-demo-", ["examples/quickstart/index.ts"]);
  await makePulumiProject(project, "quickstart");
  const stage: Stage = {
    report,
    project,
    keep,
    actor: real ? realAgent : standIn,
    signal: stop.signal,
    secret: randomBytes(16).toString("hex"),
    start: () =>
      startLocalPlatform({
        dataDir: join(project.dir, "platform"),
        port: 0,
        agentServer: real ? "real" : "built-in",
      }),
  };
  const started = performance.now();
  try {
    await runSteps(stage);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    report.write(`\nAll ${report.steps.length} steps held, in ${seconds} s.\n`);
  } catch (error) {
    const message = messageOf(error);
    report.write(
      `\n      ✗ ${stop.signal.aborted ? String(stop.signal.reason.message) : message}\n`,
    );
    process.exitCode = stop.signal.aborted ? 130 : 1;
  } finally {
    await project.remove();
    if (json) process.stdout.write(`${JSON.stringify({ steps: report.steps })}\n`);
  }
}

function readArguments(): { keep: boolean; json: boolean; real: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        keep: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        real: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (!values.help) return values;
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

void main();
