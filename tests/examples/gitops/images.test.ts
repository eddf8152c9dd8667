import { expect } from "chai";
import { describeNightly } from "../../support/tiers";
import { Team } from "./team";

const IMAGE = "registry.example.com/acme/support";
const DIGEST = `${IMAGE}@sha256:${"0123456789abcdef".repeat(4)}`;

describeNightly("the pipelines of examples/gitops, with images", () => {
  let team: Team;

  before(async () => {
    team = await Team.create();
  });
  after(() => team.remove());

  it("refuse an image's tag, which moves", async () => {
    const { code, text } = await team.run(`scripts/release.sh staging ${IMAGE}:1.4`);
    expect(code, text).not.to.equal(0);
    expect(text).to.contain(`release '${IMAGE}:1.4' can move; use a tag (refs/tags/…)`);
    expect(await team.tags("staging/")).to.deep.equal({});
  });

  it("release an image with its digest to staging, and promote the same digest", async () => {
    const released = await team.run(`scripts/release.sh staging ${DIGEST}`);
    expect(released.code, released.text).to.equal(0);
    const promoted = await team.run("scripts/promote.sh --yes production");
    expect(promoted.code, promoted.text).to.equal(0);
    expect(await team.tags("production/")).to.deep.equal({ "production/1": DIGEST });
    const images = (await team.deployments()).map(
      ({ source_revision_config: { image_uri: image } }) => image,
    );
    expect(images).to.deep.equal([DIGEST, DIGEST]);
  });
});
