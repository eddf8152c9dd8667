const CHOICE = process.env["AGENTSERVER_TESTS"];

/** Tests by how long they take: a longer tier has those of the shorter ones. */
export type Tier = "short" | "long" | "nightly";

/**
 * Whether a tier runs: the short one always, the long one where continuous integration sets `CI=true`, all of them with
 * `npm run test:all` and in a file that is named.
 */
export function runs(tier: Tier): boolean {
  if (tier === "short" || CHOICE === "all") return true;
  return tier === "long" && process.env["CI"] === "true";
}

type Suite = (this: Mocha.Suite) => void;

/** A `describe` of tests that take long. Where it does not run it counts as skipped, by the mark that scripts/reporter.cjs looks for. */
export function describeLong(title: string, suite: Suite): void {
  (runs("long") ? describe : describe.skip)(`${title} (long tier)`, suite);
}

/** The same, of tests that continuous integration has in a smaller number. */
export function describeNightly(title: string, suite: Suite): void {
  (runs("nightly") ? describe : describe.skip)(`${title} (nightly tier)`, suite);
}
