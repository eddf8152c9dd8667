const CHOICE = process.env["AGENTSERVER_TESTS"];

/** Whether the nightly tier runs: with `npm run test:all`, and in a file that is named. */
const isNightly = CHOICE === "all";

/** Whether the long tier runs: also where continuous integration sets `CI=true`. */
export const isLongRun = isNightly || process.env["CI"] === "true";

type Suite = (this: Mocha.Suite) => void;

/** A `describe` of tests that take long. Where it does not run it counts as skipped, by the mark that scripts/reporter.cjs looks for. */
export function describeLong(title: string, suite: Suite): void {
  (isLongRun ? describe : describe.skip)(`${title} (long tier)`, suite);
}

/** The same, of tests that continuous integration has in a smaller number. */
export function describeNightly(title: string, suite: Suite): void {
  (isNightly ? describe : describe.skip)(`${title} (nightly tier)`, suite);
}
