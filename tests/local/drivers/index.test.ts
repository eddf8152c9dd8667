import { expect } from "chai";
import { startLocalPlatform, StartError } from "../../../local";
import { DRIVER_NAMES } from "../../../local/drivers";
import { startTestPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { aFolder, removeFolder } from "../children";

const IMAGE = {
  source: "external_container",
  source_config: { resource_spec: {} },
  source_revision_config: { image_uri: "registry.example.com/agent:1" },
};

describe("local/drivers", () => {
  for (const driver of DRIVER_NAMES)
    it(`${driver} deploys a revision and removes its deployment`, async () => {
      const t = await startTestPlatform({ driver });
      try {
        const { id } = await t.create(IMAGE);
        await t.untilRevision(id, "DEPLOYED");
        expect((await t.get(id)).active_revision_id).to.be.a("string");
        await t.request("DELETE", `/v2/deployments/${id}`);
        await t.untilGone(id);
      } finally {
        await t.close();
      }
    });

  it("refuses a driver that it does not know, and names those that it does", async () => {
    const dataDir = await aFolder();
    try {
      const options = JSON.parse(JSON.stringify({ dataDir, port: 0, driver: "other" }));
      const error = await rejection(startLocalPlatform(options));
      expect(error).to.be.instanceOf(StartError);
      expect(error)
        .to.have.property("message")
        .that.contains(`unknown driver 'other'; use ${DRIVER_NAMES.join(" or ")}`);
    } finally {
      await removeFolder(dataDir);
    }
  });
});
