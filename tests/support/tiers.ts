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

/** A `describe` of a tier. Where it does not run it counts as skipped, by the mark that tests/support/reporter.cjs looks for. */
export function describeIn(tier: Tier, title: string, suite: Suite): void {
  const marked = tier === "short" ? title : `${title} (${tier} tier)`;
  (runs(tier) ? describe : describe.skip)(marked, suite);
}

/** Tests that take long. */
export function describeLong(title: string, suite: Suite): void {
  describeIn("long", title, suite);
}

/** Tests that continuous integration has in a smaller number, or whose promise a cheaper one protects. */
export function describeNightly(title: string, suite: Suite): void {
  describeIn("nightly", title, suite);
}
