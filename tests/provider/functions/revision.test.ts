import { expect } from "chai";
import { getRevision, listRevisions } from "pulumi-agentserver";
import { usePlatform } from "../../support/platform";
import { reasonOf } from "../../support/rejection";
import { configureStack, unconfigureStack } from "./stack-configuration";
import { untyped } from "../../support/values";

describe("looking up revisions", () => {
  const test = usePlatform();
  let deploymentId: string;
  let oldest: string;

  before(async () => {
    configureStack(test.platform);
    const { id, latest_revision_id: first } = await test.create();
    deploymentId = id;
    oldest = first ?? "";
    await test.untilRevision(id, "DEPLOYED");
    for (const ref of ["second", "third"]) {
      await test.request("PATCH", `/v2/deployments/${id}`, {
        source_revision_config: { repo_ref: ref },
      });
      await test.untilRevision(id, "DEPLOYED");
    }
  });
  after(unconfigureStack);

  it("finds one of a deployment, with what it is made of", async () => {
    const revision = await getRevision({ deploymentId, revisionId: oldest });
    expect(revision).to.include({
      id: oldest,
      deploymentId,
      status: "DEPLOYED",
      source: "git_host",
      repoRef: "main",
      graphConfigPath: "langgraph.json",
      imageUri: null,
      statusMessage: null,
    });
    expect(revision.repoCommitSha).to.match(/^[0-9a-f]{40}$/);
    expect(Object.values(revision)).not.to.include(undefined);
  });

  it("lists them newest first, all or so many, from an offset", async () => {
    const refs = async (more: { limit?: number; offset?: number; status?: string } = {}) =>
      (await listRevisions({ deploymentId, ...more })).map(({ repoRef }) => repoRef);
    expect(await refs()).to.deep.equal(["third", "second", "main"]);
    expect(await refs({ limit: 2 })).to.deep.equal(["third", "second"]);
    expect(await refs({ offset: 1, limit: 1 })).to.deep.equal(["second"]);
    expect(await refs({ offset: 3 })).to.deep.equal([]);
    expect(await refs({ status: "BUILD_FAILED" })).to.deep.equal([]);
  });

  it("refuses wrong arguments, all at once", async () => {
    expect(await reasonOf(getRevision(untyped({ revisionId: "latest" })))).to.equal(
      "get revision: deploymentId is required; revisionId must be a UUID",
    );
    const wrong = { deploymentId: "a", limit: 0, offset: -1, status: "" };
    expect(await reasonOf(listRevisions(wrong))).to.equal(
      "list revisions: deploymentId must be a UUID; limit must be at least 1; offset must be at least 0; status must be a non-empty string",
    );
  });
});
