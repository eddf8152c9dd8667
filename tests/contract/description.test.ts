import { expect } from "chai";
import { startTestPlatform } from "../support/platform";

describe("the control plane's description of itself", () => {
  let document: unknown;
  before(async () => {
    const t = await startTestPlatform();
    try {
      document = (await t.request("GET", "/openapi.json")).body;
    } finally {
      await t.close();
    }
  });

  it("has a version at the start of every path", () => {
    const paths = Object.keys(Object(Reflect.get(Object(document), "paths")));
    expect(paths).to.not.be.empty;
    for (const path of paths) expect(path).to.match(/^\/v[12]\//);
  });

  it("declares an API key, a tenant id and a bearer token", () => {
    expect(document)
      .to.have.nested.property("components.securitySchemes")
      .that.deep.equals({
        "X-Api-Key": { type: "apiKey", in: "header", name: "X-Api-Key" },
        "X-Tenant-Id": { type: "apiKey", in: "header", name: "X-Tenant-Id" },
        Bearer: { type: "http", scheme: "bearer" },
      });
  });
});
