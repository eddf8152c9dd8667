/** Whether everything runs: where continuous integration sets `CI=true`, and with `npm run test:all`. */
export const isLongRun = process.env["CI"] === "true" || process.env["AGENTSERVER_TESTS"] === "all";

/** A `describe` of tests that take long: `npm test` counts them as skipped, by the mark that scripts/reporter.cjs looks for. */
export function describeLong(title: string, suite: (this: Mocha.Suite) => void): void {
  (isLongRun ? describe : describe.skip)(`${title} (long tier)`, suite);
}
