import { InitializationFailure } from "../../provider/resource/errors";

/** The error that a promise is rejected with; fails when it is fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error(`expected a rejection with an Error, got ${String(outcome)}`);
}

/** The message of that error. */
export async function reasonOf(promise: Promise<unknown>): Promise<string> {
  return (await rejection(promise)).message;
}

/** The failure, with id and properties, of an operation that the service had accepted; fails on any other outcome. */
export async function initializationFailure(
  promise: Promise<unknown>,
): Promise<InitializationFailure> {
  const failure = await rejection(promise);
  if (failure instanceof InitializationFailure) return failure;
  throw failure;
}
