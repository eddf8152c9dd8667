// Runs in Pulumi's dynamic-provider process, and loads what its last argument names: a module, or our provider up to the
// first request (`checks`) or with it (`create`). The argument before is the URL of a control plane.
import { argv, pid } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { argumentsOf, settingsFor } from "./inputs";

type Lifecycles = typeof import("pulumi-agentserver/provider/lifecycle");

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
  if (target === "checks" || target === "create") await loadOurs();
  else if (target !== "nothing") require(target);
  console.log("loaded");
}

// The provider process lives on whatever is thrown in it.
main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`, () => process.exit(1));
});
