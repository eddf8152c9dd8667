import { expect } from "chai";
import { createHash } from "node:crypto";
import { PlatformClock } from "../../../local/platform/clock";
import type { Revision } from "../../../local/drivers/driver";
import { simulatedDriver } from "../../../local/drivers/simulated";
import { rejection } from "../../support/rejection";

const URL = "https://git.example.com/acme/support.git";
const REVISION: Revision = {
  id: "r",
  deploymentId: "d",
  url: "http://127.0.0.1:8123/agents/d",
  source: "git_host",
  sourceConfig: { repo_url: URL },
  sourceRevisionConfig: { repo_ref: "main" },
  secrets: [],
};

describe("local/drivers/simulated", () => {
  const driverOf = (stageSeconds: number) => {
    const clock = new PlatformClock();
    return { clock, driver: simulatedDriver({ clock, stageSeconds }) };
  };
  const work = (revision: Revision, signal = new AbortController().signal) => ({
    revision,
    signal,
    log: () => undefined,
  });

  it("finds the SHA-1 of URL and ref as the commit", async () => {
    const { driver } = driverOf(0);
    const sha1 = createHash("sha1").update(`${URL}main`).digest("hex");
    expect(await driver.create(work(REVISION))).to.deep.equal({ repoCommitSha: sha1 });
  });

  it("keeps a commit that is named already, and finds none for an image", async () => {
    const { driver } = driverOf(0);
    const again = { ...REVISION, sourceRevisionConfig: { repo_commit_sha: "abc" } };
    expect(await driver.create(work(again))).to.deep.equal({ repoCommitSha: "abc" });
    const image = { ...REVISION, source: "external_container" };
    expect(await driver.create(work(image))).to.deep.equal({ repoCommitSha: null });
  });

  it("takes the stage's time of the clock, and ends with its signal", async () => {
    const { clock, driver } = driverOf(3600);
    const built = { yet: false };
    const building = driver.build(work(REVISION)).then(() => (built.yet = true));
    await clock.advance(3_500_000);
    expect(built.yet).to.equal(false);
    await clock.advance(100_000);
    await building;
    const ending = new AbortController();
    const deploying = rejection(driver.deploy(work(REVISION, ending.signal)));
    ending.abort(new Error("ended"));
    expect((await deploying).message).to.equal("ended");
  });

  it("ends a removal when it is closed", async () => {
    const { driver } = driverOf(3600);
    const removing = rejection(driver.remove("d"));
    await driver.close();
    await removing;
  });
});
