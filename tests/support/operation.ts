import { ControlPlane } from "pulumi-agentserver/sdk";
import type { Operation } from "../../provider/resource/operation";
import { newProcessCache } from "../../provider/resource/process-cache";
import { aClock } from "./builders";
import { emptyState } from "./lifecycle";

/** An operation on a deployment of the control plane at `url`. Time is simulated; progress goes to `shown`. */
export function anOperation(url: string, shown: string[] = []): Operation {
  const clock = aClock();
  const ignore = (): void => undefined;
  return {
    canImport: false,
    id: "11111111-1111-4111-8111-111111111111",
    urn: undefined,
    processCache: newProcessCache(),
    readState: emptyState,
    client: new ControlPlane({
      baseUrl: url,
      apiKey: "control-plane-key",
      workspaceId: "w",
      clock,
    }),
    clock,
    log: { progress: (text) => void shown.push(text), info: ignore, warn: ignore },
    settings: {
      baseUrl: url,
      isSelfHosted: false,
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
