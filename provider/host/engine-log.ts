import { createRequire } from "node:module";
import { printable } from "../../shared/printable";
import type { Memory } from "./memory";

/** Where a lifecycle speaks to the person who runs Pulumi; every text is about one resource. */
export interface Log {
  /** Replaced by the next one, gone at the end: what is going on right now. */
  readonly progress: (text: string) => void;
  /** Stays: something worth knowing. */
  readonly info: (text: string) => void;
  /** Stays: something to look into. */
  readonly warn: (text: string) => void;
}

type Severity = "INFO" | "WARNING";
type Send = (severity: Severity, text: string, ephemeral: boolean) => void;

/**
 * Writes to a resource's own line, over the engine's address that the provider process was started with. What stays is
 * written once: the engine may ask for the same thing twice, as when a resource is replaced.
 */
export function engineLog(urn: string | undefined, { shown }: Pick<Memory, "shown">): Log {
  const send: Send = (severity, text, ephemeral) => {
    if (urn === undefined || (!ephemeral && shown.has(`${urn} ${text}`))) return;
    if (!ephemeral) shown.add(`${urn} ${text}`);
    connection ??= connect(process.argv.at(-1) ?? "");
    connection(urn, severity, printable(text), ephemeral);
  };
  return {
    progress: (text) => send("INFO", text, true),
    info: (text) => send("INFO", text, false),
    warn: (text) => send("WARNING", text, false),
  };
}

type Connection = (urn: string, severity: Severity, text: string, ephemeral: boolean) => void;
let connection: Connection | undefined;

/** Loaded with the first message; gRPC is the copy that Pulumi's SDK uses, since two copies do not fit together. */
function connect(address: string): Connection {
  const fromPulumi = createRequire(require.resolve("@pulumi/pulumi"));
  const { credentials }: typeof import("@grpc/grpc-js") = fromPulumi("@grpc/grpc-js");
  const { EngineClient }: typeof import("@pulumi/pulumi/proto/engine_grpc_pb") =
    fromPulumi("./proto/engine_grpc_pb");
  const protocol: typeof import("@pulumi/pulumi/proto/engine_pb") = fromPulumi("./proto/engine_pb");
  const client = new EngineClient(address, credentials.createInsecure());
  return (urn, severity, text, ephemeral) => {
    const request = new protocol.LogRequest();
    request.setSeverity(protocol.LogSeverity[severity]);
    request.setMessage(text);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    // A message that does not arrive is no reason to fail what it speaks of.
    client.log(request, () => undefined);
  };
}
