// Runs in Pulumi's dynamic-provider process, loads what its last argument names, and prints what that added: a module, or our
// provider up to the first request (`checks`) or with it (`create`). The argument before is the URL of a control plane.
import { setTimeout as sleep } from "node:timers/promises";
import { argv, cpuUsage, memoryUsage, pid } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { argumentsOf, settingsFor } from "./inputs";

type Lifecycles = typeof import("pulumi-agentserver/provider/lifecycle");

/** The provider process has finished its own start by then. */
const SETTLING_MS = 300;
const [baseUrl = "", target = ""] = argv.slice(-2);

async function loadOurs(): Promise<void> {
  const { deployment }: Lifecycles = require("pulumi-agentserver/provider/lifecycle");
  await deployment.configure?.({ config: new Config(settingsFor(baseUrl), "bench") });
  const checked = await deployment.check?.({}, argumentsOf(`agent-${pid}`));
  const inputs = { ...checked?.inputs };
  await deployment.diff?.("id", inputs, inputs);
  if (target === "create") await deployment.create(inputs);
}

async function main(): Promise<void> {
  await sleep(SETTLING_MS);
  const bytes = memoryUsage.rss();
  const start = cpuUsage();
  if (target === "checks" || target === "create") await loadOurs();
  else require(target);
  const { user, system } = cpuUsage(start);
  const megabytes = (memoryUsage.rss() - bytes) / 1e6;
  const added = { "CPU (ms)": (user + system) / 1000, "RSS (MB)": megabytes };
  process.stdout.write(`${JSON.stringify(added)}\n`, () => process.exit());
}

// The provider process lives on whatever is thrown in it.
main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`, () => process.exit(1));
});
