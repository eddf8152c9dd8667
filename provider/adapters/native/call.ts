import type { handleServerStreamingCall, handleUnaryCall } from "@grpc/grpc-js";
import { failureOf } from "./failure";

/** A call of the engine, from what answers it. */
export function call<Request, Response>(
  answer: (request: Request) => Promise<Response> | Response,
): handleUnaryCall<Request, Response> {
  const answered = async (request: Request): Promise<Response> => answer(request);
  return ({ request }, respond) => {
    answered(request).then(
      (response) => respond(null, response),
      (error: unknown) => respond(failureOf(error)),
    );
  };
}

/** A call whose answer is a stream of messages. */
export function streamingCall<Request, Response>(
  answer: (request: Request) => Promise<readonly Response[]>,
): handleServerStreamingCall<Request, Response> {
  return (stream) => {
    answer(stream.request).then(
      (responses) => {
        for (const response of responses) stream.write(response);
        stream.end();
      },
      (error: unknown) => stream.emit("error", failureOf(error)),
    );
  };
}
