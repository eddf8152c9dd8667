import { ControlPlane } from "pulumi-agentserver/sdk";
import type { Job } from "../../provider/host/job";
import { newMemory } from "../../provider/host/memory";
import { aClock } from "./builders";

/** A job on a deployment of the control plane at `url`; the time is simulated, what is shown goes to `shown`. */
export function aJob(url: string, shown: string[] = []): Job {
  const clock = aClock();
  const ignore = (): void => undefined;
  return {
    id: "11111111-1111-4111-8111-111111111111",
    urn: undefined,
    memory: newMemory(),
    client: new ControlPlane({
      baseUrl: url,
      apiKey: "control-plane-key",
      workspaceId: "w",
      clock,
    }),
    clock,
    log: { progress: (text) => void shown.push(text), info: ignore, warn: ignore },
    settings: () => {
      throw new Error("not needed");
    },
    settingsInForce: {
      baseUrl: url,
      workspaceId: "w",
      apiKey: "control-plane-key",
      dialect: "agentserver",
      requestTimeoutSeconds: 60,
      waitTimeoutSeconds: 600,
      maxConcurrentRequests: 1,
      allowInsecureHttp: false,
      source: "configuration",
    },
  };
}
