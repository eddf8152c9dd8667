import { Server, type sendUnaryData, type ServerUnaryCall, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** The engine as a provider process sees it: it takes what the process says to whoever runs the command. */
export interface EngineLog {
  readonly address: string;
  readonly close: () => void;
}

export async function startEngineLog(say: (text: string) => void): Promise<EngineLog> {
  const server = new Server();
  server.addService(EngineService, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, done: sendUnaryData<Empty>) {
      if (!request.getEphemeral()) say(request.getMessage());
      done(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, at: number): void => (error ? reject(error) : resolve(at));
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), bound);
  });
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
