import { expect } from "chai";
import { revisionShape, sourceText } from "../../../cli/deployments/shapes";
import { span } from "../../../cli/terminal/time";
import { aRevision } from "../../support/builders";

describe("a revision that is shown", () => {
  const shapeOf = (members: object) =>
    revisionShape(aRevision(members), new Date("2026-01-01T02:00Z"));

  it("has its branch and its commit, or the image, for a source", () => {
    const [repo_ref, repo_commit_sha] = ["main", "0123456789"];
    for (const [members, source] of [
      [{ repo_ref, repo_commit_sha }, "main@0123456"],
      [{ repo_ref: repo_commit_sha, repo_commit_sha }, "0123456"],
      [{ repo_commit_sha, image_uri: "a/b:1" }, "0123456"],
      [{ repo_ref, source_revision_config: { repo_ref: "nested" } }, "nested"],
    ] as const)
      expect(sourceText(shapeOf(members))).to.equal(source);
  });

  it("took until it ended, or has taken until now", () => {
    const times = { created_at: "2026-01-01T00:00Z", updated_at: "2026-01-01T00:01Z" };
    const took = ["DEPLOYED", "BUILDING", "OF_A_NEWER_VERSION"].map(
      (status) => shapeOf({ ...times, status }).durationSeconds,
    );
    expect(took).to.deep.equal([60, 7200, 7200]);
    expect([59, 60, 3600, 86_399, 86_400].map(span)).to.deep.equal([
      "59s",
      "1m",
      "1h",
      "23h",
      "1d",
    ]);
  });
});
