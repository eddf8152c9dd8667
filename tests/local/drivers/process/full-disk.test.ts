import { expect } from "chai";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeLong } from "../../../support/tiers";
import { poll, startTestPlatform, type TestPlatform } from "../../../support/platform";
import { aFolder, removeFolder } from "../../children";
import { makeRepository, type Repository } from "../../repository";

const run = promisify(execFile);
const DISK_MB = 24;
/** Room for the database to grow, not for what a commit adds. */
const LITTLE_BYTES = 100_000;
const LARGE_BYTES = 2_000_000;
const FULL = "database or disk is full";

describeLong("a local platform with real servers on a full disk", () => {
  let [folder, disk] = ["", ""];
  let repository: Repository;
  let platform: TestPlatform;

  before(async function () {
    folder = await aFolder();
    disk = await aFolder();
    try {
      await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "none", disk]);
    } catch (error) {
      process.stderr.write(
        `\nNOT TESTED: a full disk, as only root may mount one: ${String(error)}\n\n`,
      );
      this.skip();
    }
    repository = await makeRepository(join(folder, "agent"));
    platform = await startTestPlatform({ driver: "process", dataDir: join(disk, "data") });
  });
  after(async () => {
    await platform?.close();
    await run("umount", ["--lazy", disk]).catch(() => undefined);
    await Promise.all([folder, disk].map(removeFolder));
  });

  const fill = async (bytesLeft: number) => {
    const { bavail, bsize } = await statfs(disk);
    const bytes = Math.max(bavail * bsize - bytesLeft, 0);
    await writeFile(join(disk, "fill"), Buffer.alloc(bytes)).catch(() => undefined);
  };

  it("refuses what it can't store, fails a build without room, serves on, and goes on when there is room", async () => {
    const source_config = { repo_url: repository.url, deployment_type: "dev" };
    const { id } = await platform.create({
      source_config: { ...source_config, integration_id: platform.integrationId },
    });
    await platform.untilRevision(id, "DEPLOYED");
    const patch = async (value: string) => {
      const secrets = [{ name: "LOG_LEVEL", value }];
      return platform.request("PATCH", `/v2/deployments/${id}`, { secrets });
    };
    const infoOf = async () => (await fetch(`${platform.platform.url}/agents/${id}/info`)).status;

    await fill(0);
    const refused = { detail: `the local platform failed: ${FULL}` };
    expect(await patch("one")).to.deep.include({ status: 500, body: refused });
    expect(await infoOf()).to.equal(200);

    await rm(join(disk, "fill"));
    await writeFile(join(repository.folder, "large"), randomBytes(LARGE_BYTES));
    await repository.commit({});
    await fill(LITTLE_BYTES);
    expect(await patch("two")).to.include({ status: 200 });
    const { id: failed } = await platform.untilRevision(id, "BUILD_FAILED");
    expect(await infoOf()).to.equal(200);

    await rm(join(disk, "fill"));
    const logs = `/v2/deployments/${id}/revisions/${failed}/logs?type=build`;
    await poll("the reason in the log", async () => {
      const { body: seen } = await platform.request("GET", logs);
      return { fits: JSON.stringify(seen).includes("No space left on device"), seen };
    });
    await patch("three");
    await platform.untilRevision(id, "DEPLOYED");
    expect(await infoOf()).to.equal(200);
  });
});
