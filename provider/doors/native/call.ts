import type { handleUnaryCall } from "@grpc/grpc-js";
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
