import { runtime } from "@pulumi/pulumi";

/**
 * Lets each run of an inline program connect to its engine by itself. Connections of one process are shared by address
 * otherwise, also one to an engine that has ended: where the next engine gets its port, the program gets `14 UNAVAILABLE:
 * No connection established`, and the run fails or takes the program for an empty one.
 */
export function connectByItself(): void {
  // The second name is that of older SDKs.
  const [options]: unknown[] = ["grpcClientOptions", "grpcChannelOptions"]
    .map((name) => Reflect.get(runtime, name))
    .filter((value) => value !== undefined);
  if (typeof options !== "object" || options === null)
    throw new Error("Pulumi's SDK has no gRPC options under the name that it had");
  Object.assign(options, { "grpc.use_local_subchannel_pool": 1 });
}
