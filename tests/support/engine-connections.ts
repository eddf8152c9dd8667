import { runtime } from "@pulumi/pulumi";
import { recordOf } from "../../shared/records";

/** The options of all connections of Pulumi's SDK, which older ones have under another name. */
function connectionOptions(): Record<string, unknown> {
  const names = ["grpcClientOptions", "grpcChannelOptions"];
  const name = names.find((one) => Reflect.has(runtime, one));
  if (name === undefined)
    throw new Error("Pulumi's SDK has no gRPC options under the names that it had");
  return recordOf(Reflect.get(runtime, name));
}

/**
 * Lets each run of an inline program connect to its engine by itself. Connections of one process are shared by address
 * otherwise, also one to an engine that has ended: where the next engine gets its port, the program gets `14 UNAVAILABLE:
 * No connection established`, and the run fails or takes the program for an empty one.
 */
export function connectByItself(): void {
  Object.assign(connectionOptions(), { "grpc.use_local_subchannel_pool": 1 });
}
