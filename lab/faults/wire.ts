import type { ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";

type Answered<Answer> = (error: ServiceError | null, answer: Answer) => void;

/** The response of a provider; rejects with the error of gRPC. */
export function answerOf<Answer>(call: (answered: Answered<Answer>) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/** The result that a failed call has left all the same; undefined where there is none. */
export function madeByHalf({ metadata }: ServiceError): ErrorResourceInitFailed | undefined {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Uint8Array)) return undefined;
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  const read = (bytes: Uint8Array) => ErrorResourceInitFailed.deserializeBinary(bytes);
  return detail?.unpack(read, "pulumirpc.ErrorResourceInitFailed") ?? undefined;
}
