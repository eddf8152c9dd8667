import { expect } from "chai";
import { imageVersion } from "../../../local/rollout/revisions";

describe("local/rollout/revisions the version of an image", () => {
  const versions: [string | null | undefined, string | null][] = [
    ["agent:1.2", "1.2"],
    ["registry.example.com/acme/agent:v3-rc.1", "v3-rc.1"],
    ["registry.example.com:5000/acme/agent:latest", "latest"],
    ["registry.example.com:5000/acme/agent", null],
    ["agent", null],
    ["agent:1.2@sha256:0123", "1.2"],
    ["agent@sha256:0123", null],
    [null, null],
    [undefined, null],
  ];
  for (const [image, version] of versions)
    it(`of ${image} is ${version}`, () => {
      expect(imageVersion(image)).to.equal(version);
    });
});
