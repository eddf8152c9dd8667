/** The error that a promise is rejected with; fails when it is fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error(`expected a rejection with an Error, got ${String(outcome)}`);
}
