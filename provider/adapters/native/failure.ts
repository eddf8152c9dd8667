import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { isBeingDeleted } from "../../../sdk/status";
import { messageOf } from "../../../shared/errors";
import { InitializationFailure } from "../../resource/initialization-failure";
import { withoutHiddenInputs } from "../../arguments/option-inputs";
import { spelled } from "./spelling";
import type { Props } from "../../arguments/props";
import { structOf } from "./wire";

/** An error as gRPC passes it on: one sentence, and for an initialization failure what the engine keeps. */
export function failureOf(error: unknown): Pick<ServiceError, "code" | "details" | "metadata"> {
  const details = spelled(messageOf(error));
  const metadata = new Metadata();
  if (error instanceof InitializationFailure)
    metadata.add("grpc-status-details-bin", packed(error, details));
  return { code: status.UNKNOWN, details, metadata };
}

function packed({ id, properties, reasons }: InitializationFailure, message: string): Buffer {
  const failed = new ErrorResourceInitFailed();
  failed.setId(id);
  failed.setProperties(structOf(withoutHiddenInputs(properties)));
  failed.setReasonsList(reasons.map((reason) => spelled(reason)));
  failed.setRefreshBeforeUpdate(isReadFirst(properties));
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const result = new Status();
  result.setCode(status.UNKNOWN);
  result.setMessage(message);
  result.addDetails(detail);
  return Buffer.from(result.serializeBinary());
}

/**
 * Whether the engine reads it before its next update: what was being deleted may be gone. Nothing else is read then, since
 * that takes the settings of the state: a new key after one that was revoked would never get there.
 */
export function isReadFirst({ status: found }: Props): boolean {
  return isBeingDeleted(String(found));
}
