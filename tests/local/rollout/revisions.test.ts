import { expect } from "chai";
import { imageVersion } from "../../../local/rollout/revisions";

describe("local/rollout/revisions the version of an image", () => {
  it("is its tag", () => {
    for (const [image, version] of [
      ["agent:1.2", "1.2"],
      ["registry.example.com:5000/acme/agent:v3-rc.1", "v3-rc.1"],
      ["registry.example.com:5000/acme/agent", null],
      ["agent:1.2@sha256:0123", "1.2"],
      ["agent@sha256:0123", null],
      [null, null],
    ] as const)
      expect(imageVersion(image), String(image)).to.equal(version);
  });
});
