import { readFileSync } from "node:fs";
import { expect } from "chai";
import * as agentserver from "pulumi-agentserver";
import { callFunction } from "../../../../provider/adapters/native/functions";
import { lifecycleOf } from "../../../../provider/adapters/native/resource-types";
import { LIFECYCLES } from "../../../../provider/lifecycles";
import { HOST } from "../../../support/lifecycle";
import { reasonOf, rejection } from "../../../support/rejection";
import { SCHEMA, schemaText } from "../../../../scripts/schema/package";
import type { PropertySpec } from "../../../../scripts/schema/spec";
import { ResourceSpec } from "../../../../sdk/schema";
import { camelName } from "../../../../provider/arguments/casing";
import { isRecord, recordOf } from "../../../../shared/records";

interface ObjectLike {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PropertySpec>>;
}

interface Resource extends Required<ObjectLike> {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly aliases: readonly { readonly type: string }[];
}

interface Schema {
  readonly types: Readonly<Record<string, ObjectLike>>;
  readonly provider: Omit<Resource, "aliases">;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, ObjectLike>>;
}

const committed = readFileSync(SCHEMA, "utf8");
const schema: Schema = JSON.parse(committed);
const resource = (kind: string): Resource =>
  schema.resources[`agentserver:index:${kind}`] ?? expect.fail(`no resource ${kind}`);

/** Every object in a value, with the names that lead to it. */
function objectsIn(value: unknown, path = ""): [string, Record<string, unknown>][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => objectsIn(item, `${path}[${at}]`));
  if (!isRecord(value)) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    objectsIn(member, `${path}/${name}`),
  );
  return [[path, value], ...inner];
}

/** Every declared property with the names that lead to it. */
const properties = objectsIn(schema).flatMap(([path, value]) =>
  ["properties", "inputProperties"].flatMap((member) =>
    Object.entries(recordOf(value[member])).map(([name, property]) => ({
      path: `${path}/${name}`,
      property: recordOf(property),
    })),
  ),
);

describe("the schema of the native provider", () => {
  it("is what the TypeScript declarations come to: else run `npm run schema`", () => {
    expect(committed).to.equal(schemaText());
  });

  it("has every class and every function that TypeScript programs import", () => {
    const names = Object.keys(agentserver).filter((name) => !name.endsWith("Output"));
    const known = [schema.resources, schema.functions].flatMap((members) =>
      Object.keys(members).map((token) => token.split(":").at(-1)),
    );
    expect([...known, "Provider"]).to.have.members(names);
  });

  it("has the arguments that the checks know", () => {
    for (const [kind, { arguments: rows }] of Object.entries(LIFECYCLES)) {
      const names = new Set(rows.map(({ path }) => path.split(".")[0]));
      const { inputProperties } = resource(kind);
      const what = `${kind}; else run \`npm run schema\``;
      expect(Object.keys(inputProperties), what).to.have.members([...names]);
    }
  });

  it("has neither defaults nor environment, which SDKs would write into inputs and states", () => {
    const found = objectsIn(schema).filter(
      ([, value]) => "default" in value || "defaultInfo" in value,
    );
    expect(found.map(([path]) => path)).to.deep.equal([]);
    expect(committed).not.to.contain('"environment"');
  });

  it("announces replacements, and makes them no option of SDKs", () => {
    expect(committed).not.to.contain('"replaceOnChanges"');
    const replacing = (of: Readonly<Record<string, PropertySpec>>) =>
      Object.keys(of).filter((name) => of[name]?.willReplaceOnChanges);
    expect(replacing(resource("Deployment").inputProperties)).to.have.members(["name", "source"]);
    const { properties: config = {} } = schema.types["agentserver:index:SourceConfig"] ?? {};
    const expected = ["integrationId", "repoUrl", "deploymentType", "listenerId"];
    expect(replacing(config)).to.have.members(expected);
    expect(replacing(resource("OAuthProvider").inputProperties)).to.include("providerId");
  });

  it("has no unions", () => {
    expect(objectsIn(schema).filter(([, value]) => "oneOf" in value)).to.deep.equal([]);
  });

  it("lets stacks of the dynamic provider move over", () => {
    for (const [token, { aliases }] of Object.entries(schema.resources)) {
      const kind = token.split(":").at(-1);
      expect(aliases).to.deep.equal([{ type: `pulumi-nodejs:dynamic/agentserver:${kind}` }]);
    }
  });

  it("describes every property, resource, function and type", () => {
    const lacking = [
      ...properties.map(({ path, property }): [string, unknown] => [path, property["description"]]),
      ...Object.entries({ ...schema.types, ...schema.resources, ...schema.functions }).map(
        ([token, { description }]): [string, unknown] => [token, description],
      ),
    ].filter(([, description]) => typeof description !== "string" || description === "");
    expect(lacking.map(([path]) => path)).to.deep.equal([]);
  });

  it("names those that there are for another type or function, also where every object has its name", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const urn = `urn:pulumi:test::shop::${name}::support`;
      expect(() => lifecycleOf(urn), name).to.throw(
        `unknown resource type '${name}'; there are agentserver:index:Deployment, agentserver:`,
      );
      const { message } = await rejection(callFunction(name, {}, {}, HOST));
      expect(message, name).to.match(/^unknown function '\w+'; there are agentserver:\S+, agent/);
    }
    const keyed = callFunction("agentserver:index:listListeners", { apiKey: "key" }, {}, HOST);
    expect(await reasonOf(keyed)).to.contain("unknown argument 'apiKey'");
  });

  it("marks the secrets that the lifecycles keep secret", () => {
    const secretIn = (of: Readonly<Record<string, PropertySpec>> = {}) =>
      Object.keys(of).filter((name) => of[name]?.secret);
    for (const [kind, { secretInputs, secretOutputs }] of Object.entries(LIFECYCLES)) {
      const top = (paths: readonly string[]) => paths.map((path) => path.split(".")[0] ?? path);
      const { inputProperties, properties: outputs } = resource(kind);
      const inputs = top(secretInputs).filter((path) => path !== "smokeCheck");
      expect(secretIn(inputProperties), kind).to.have.members(inputs);
      const shown = top(secretOutputs).filter((path) => path in outputs);
      expect(secretIn(outputs), kind).to.have.members(shown);
    }
    const { properties: check } = schema.types["agentserver:index:SmokeCheck"] ?? {};
    expect(secretIn(check)).to.deep.equal(["apiKey"]);
    const { inputProperties } = schema.provider;
    expect(secretIn(inputProperties)).to.deep.equal(["apiKey", "bearerToken", "headers"]);
  });

  it("has whole numbers where the service takes no others", () => {
    const { properties: members = {} } = schema.types["agentserver:index:ResourceSpec"] ?? {};
    for (const [name, wire] of Object.entries(ResourceSpec.shape)) {
      const { type } = members[camelName(name)] ?? {};
      const acceptsHalf = wire.safeParse(0.5).success;
      if (type === "integer") expect(acceptsHalf, name).to.equal(false);
      if (type === "number") expect(acceptsHalf, name).to.equal(true);
    }
  });
});
