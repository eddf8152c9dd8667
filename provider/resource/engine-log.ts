import { createRequire } from "node:module";
import { printable } from "../../shared/printable";

/** Shows messages about one resource to the person who runs Pulumi. */
export interface Log {
  /** Ephemeral: what is going on. The next one replaces it. Ends when the engine has it. */
  readonly progress: (text: string) => void | Promise<void>;
  /** Persistent: worth knowing. */
  readonly info: (text: string) => void;
  /** Persistent: worth checking. */
  readonly warn: (text: string) => void;
}

/** The cache of one provider process for its messages. */
export interface EngineLogCache {
  /** The connection to the engine, from the first message on. */
  engine?: Engine;
  /** Persistent messages that were shown, each with its URN. */
  readonly shown: Set<string>;
}

type Severity = "INFO" | "WARNING";
type Send = (severity: Severity, text: string, ephemeral: boolean) => void | Promise<void>;

/**
 * Writes to a resource's own line. Persistent messages are deduplicated; the engine may repeat a call, as when a resource
 * is replaced.
 */
export function engineLog(
  urn: string | undefined,
  processCache: EngineLogCache,
  connect: () => Engine,
): Log {
  const { shown } = processCache;
  const send: Send = (severity, text, ephemeral) => {
    if (urn === undefined || (!ephemeral && shown.has(`${urn} ${text}`))) return undefined;
    if (!ephemeral) shown.add(`${urn} ${text}`);
    processCache.engine ??= connect();
    return processCache.engine(urn, severity, printable(text), ephemeral);
  };
  return {
    progress: (text) => send("INFO", text, true),
    info: (text) => void send("INFO", text, false),
    warn: (text) => void send("WARNING", text, false),
  };
}

/** Sends a message about the resource of a URN to the engine. Ends when the engine has it, or can't be reached. */
export type Engine = (
  urn: string,
  severity: Severity,
  text: string,
  ephemeral: boolean,
) => void | Promise<void>;

/** The parts of Pulumi's SDK and of gRPC that a connection takes: two copies of gRPC do not fit together. */
export interface Protocol {
  readonly grpc: Pick<typeof import("@grpc/grpc-js"), "credentials">;
  readonly service: typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  readonly messages: typeof import("@pulumi/pulumi/proto/engine_pb");
}

/** Connects to the engine at an address. */
export function connectTo(address: string, { grpc, service, messages }: Protocol): Engine {
  const client = new service.EngineClient(address, grpc.credentials.createInsecure());
  return (urn, severity, text, ephemeral) => {
    const request = new messages.LogRequest();
    request.setSeverity(messages.LogSeverity[severity]);
    request.setMessage(text);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    // A lost message must not fail the operation.
    return new Promise((resolve) => client.log(request, () => resolve()));
  };
}

/** Connects over the address that Pulumi's dynamic-provider process was started with, with its own copy of gRPC. */
export function connectFromDynamicProvider(): Engine {
  const fromPulumi = createRequire(require.resolve("@pulumi/pulumi"));
  return connectTo(process.argv.at(-1) ?? "", {
    grpc: fromPulumi("@grpc/grpc-js"),
    service: fromPulumi("./proto/engine_grpc_pb"),
    messages: fromPulumi("./proto/engine_pb"),
  });
}
