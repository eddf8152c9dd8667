import { expect } from "chai";
import { StageFailure } from "../../../local/drivers/driver";
import { rejection } from "../../support/rejection";

/** The message of the StageFailure that work ends in. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await rejection(work);
  expect(error).to.be.instanceOf(StageFailure);
  return error.message;
}
