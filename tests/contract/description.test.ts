import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { z } from "zod";
import { recordOf } from "../../shared/records";
import { usePlatform } from "../support/platform";

const FORMATS = { uuid: true, uri: true, "date-time": true } as const;

const Content = z.object({
  "application/json": z.object({ schema: z.unknown(), example: z.unknown() }),
});
const Operation = z.object({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  tags: z.array(z.string()).length(1),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

describe("the control plane's description of itself", () => {
  const t = usePlatform();
  let document: Record<string, unknown>;
  before(async () => (document = recordOf((await t.request("GET", "/openapi.json")).body)));

  const operations = () =>
    Object.values(Document.parse(document).paths).flatMap((byMethod) => Object.values(byMethod));
  const ajv = () =>
    new Ajv2020({ strict: false, formats: FORMATS }).addSchema(document, "document");

  it("has a version at the start of every path, and an id of its own for each operation", () => {
    for (const path of Object.keys(recordOf(document["paths"])))
      expect(path).to.match(/^\/v[12]\//);
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids).not.to.be.empty;
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it("gives each request body an example that its schema accepts, and names what rejects one", () => {
    for (const { operationId, requestBody, responses } of operations()) {
      if (requestBody === undefined) continue;
      const { schema, example } = requestBody.content["application/json"];
      const fits = ajv().compile({ ...recordOf(schema), components: document["components"] });
      expect(fits(example), `${operationId}: ${JSON.stringify(fits.errors)}`).to.equal(true);
      expect(responses, operationId).to.include.keys("401", "403", "413", "422");
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
