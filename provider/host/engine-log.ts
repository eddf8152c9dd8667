import { createRequire } from "node:module";
import { printable } from "../../shared/printable";

/** Shows messages about one resource to the person who runs Pulumi. */
export interface Log {
  /** Ephemeral: what is going on. The next one replaces it. */
  readonly progress: (text: string) => void;
  /** Persistent: worth knowing. */
  readonly info: (text: string) => void;
  /** Persistent: worth checking. */
  readonly warn: (text: string) => void;
}

/** What a provider process remembers of its messages. */
export interface EngineLogMemory {
  /** The connection to the engine, from the first message on. */
  engine?: Engine;
  /** Persistent messages that were shown, each with its URN. */
  readonly shown: Set<string>;
}

type Severity = "INFO" | "WARNING";
type Send = (severity: Severity, text: string, ephemeral: boolean) => void;

/**
 * Writes to a resource's own line, over the engine's address that the provider process was started with. Persistent
 * messages are deduplicated; the engine may repeat a call, as when a resource is replaced.
 */
export function engineLog(urn: string | undefined, memory: EngineLogMemory): Log {
  const { shown } = memory;
  const send: Send = (severity, text, ephemeral) => {
    if (urn === undefined || (!ephemeral && shown.has(`${urn} ${text}`))) return;
    if (!ephemeral) shown.add(`${urn} ${text}`);
    memory.engine ??= connect(process.argv.at(-1) ?? "");
    memory.engine(urn, severity, printable(text), ephemeral);
  };
  return {
    progress: (text) => send("INFO", text, true),
    info: (text) => send("INFO", text, false),
    warn: (text) => send("WARNING", text, false),
  };
}

/** Sends a message about the resource of a URN to the engine. */
type Engine = (urn: string, severity: Severity, text: string, ephemeral: boolean) => void;

/** Loaded with the first message. Two copies of gRPC do not fit together, so this is the one that Pulumi's SDK uses. */
function connect(address: string): Engine {
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
    // A lost message must not fail the operation.
    client.log(request, () => undefined);
  };
}
