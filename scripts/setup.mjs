// Makes a clone ready: packages, a Node that is new enough, compiled sources, Pulumi CLI (`--without-cli`: all but it). `npm run demo` and `npm test`
// run it first; it is silent when all is in place. It runs before there are any packages, so it and scripts/setup/ need nothing but Node.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledSources } from "./setup/build.mjs";
import { lockFile, withLock } from "./setup/lock.mjs";
import { node } from "./setup/node.mjs";
import { packages } from "./setup/packages.mjs";
import { pulumiCli } from "./setup/pulumi.mjs";
import { elapsed, report } from "./setup/report.mjs";

/** Does what is left to do, one step after the other; a step that another set-up has done meanwhile is skipped. */
async function complete(steps) {
  for (const step of steps) {
    if (await step.isDone()) continue;
    const since = Date.now();
    report(`${step.title} …`);
    await step.work().catch((error) => {
      throw new Error(`${step.title} failed: ${error.message}`);
    });
    report(`${step.title}: done in ${elapsed(since)}`);
  }
}

async function areDone(steps) {
  for (const step of steps) if (!(await step.isDone())) return false;
  return true;
}

try {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const steps = [packages(root), node(root, process.env), compiledSources(root)];
  if (!process.argv.includes("--without-cli")) steps.push(pulumiCli(root, process.env));
  if (!(await areDone(steps))) await withLock(lockFile(), () => complete(steps));
} catch (error) {
  report(error.message);
  process.exitCode = 1;
}
