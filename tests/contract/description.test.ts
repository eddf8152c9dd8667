import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { recordOf } from "../../shared/records";
import { startTestPlatform } from "../support/platform";

describe("the control plane's description of itself", () => {
  let document: Record<string, unknown>;
  before(async () => {
    const t = await startTestPlatform();
    try {
      document = recordOf((await t.request("GET", "/openapi.json")).body);
    } finally {
      await t.close();
    }
  });

  it("has a version at the start of every path", () => {
    const paths = Object.keys(recordOf(document["paths"]));
    expect(paths).to.not.be.empty;
    for (const path of paths) expect(path).to.match(/^\/v[12]\//);
  });

  it("allows null wherever a request may have it", () => {
    const ajv = new Ajv2020({ strict: false, formats: { uuid: true, uri: true } });
    ajv.addSchema(document, "document");
    for (const name of ["UpdateDeployment", "CreateRevision"]) {
      const fits = ajv.getSchema(`document#/components/schemas/${name}`);
      for (const body of [
        { source_config: null, source_revision_config: null, secrets: null },
        { source_config: { resource_spec: null, listener_config: null } },
      ])
        expect(fits?.(body), `${name} ${JSON.stringify([body, fits?.errors])}`).to.equal(true);
    }
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
