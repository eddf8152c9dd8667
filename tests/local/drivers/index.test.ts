import { expect } from "chai";
import { startLocalPlatform, StartError } from "../../../local";
import { DRIVER_NAMES } from "../../../local/drivers";
import { rejection } from "../../support/rejection";
import { aFolder, removeFolder } from "../children";

describe("local/drivers", () => {
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
