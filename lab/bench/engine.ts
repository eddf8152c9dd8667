import { measureCreates } from "./engine/creates";
import { measureLimits } from "./engine/limits";
import { measureProcesses } from "./engine/processes";
import { measureWaits } from "./engine/waits";
import type { Bench, Run } from "./run";

/** Number of starts of each process, of waits, of stacks of each size; what is limited. */
const PLAN = {
  starts: 7,
  waits: { seconds: 10, atOnce: 100, times: 3 },
  sizes: [100, 500],
  creates: 3,
  limits: { rates: [5, 10, 50], resources: 200, listed: 1000 },
};

/** Our provider on the real Pulumi engine. */
export const engine: Bench = {
  about: "stacks of 100 and 500 deployments on both providers and by hand, starts, roll-outs",
  measure: (run) => measureEngine(run, PLAN),
};

/** Measures the provider: its processes, how it waits, and whole stacks. */
async function measureEngine(run: Run, plan: typeof PLAN): Promise<void> {
  const controlPlane = await run.start(require.resolve("./engine/control-plane"));
  run.say(`starting the provider processes ${plan.starts} times`);
  const processes = await measureProcesses(controlPlane.url, plan.starts, run.signal);
  for (const table of processes) run.show(table);
  run.show(await measureWaits(run, controlPlane.url, plan.waits));
  for (const resources of plan.sizes)
    run.show(await measureCreates(run, controlPlane, { resources, times: plan.creates }));
  run.show(await measureLimits(run, plan.limits));
}
