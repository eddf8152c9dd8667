import type { Output } from "@pulumi/pulumi";
import { runtime } from "@pulumi/pulumi";

/** Makes a control plane the one that the configuration of this process's stack names. */
export function configureStack(
  { url, apiKey, workspaceId }: { url: string; apiKey: string; workspaceId: string },
  more: Readonly<Record<string, string>> = {},
): void {
  runtime.setAllConfig({
    "agentserver:baseUrl": url,
    "agentserver:apiKey": apiKey,
    "agentserver:workspaceId": workspaceId,
    ...more,
  });
}

/** Takes the configuration away again. */
export function unconfigureStack(): void {
  runtime.setAllConfig({});
}

/** The value of an output, once it is known. */
export function valueOf<Value>(output: Output<Value>): Promise<unknown> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}
