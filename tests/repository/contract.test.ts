import { expect } from "chai";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { usePlatform } from "../support/platform";
import { schemaEntries } from "./references";
import { problemsOf, rowsOf } from "./rows";
import { parsed } from "../support/values";

describe("docs/contract.md", () => {
  const t = usePlatform();
  const rows = rowsOf(readFileSync("docs/contract.md", "utf8"));
  const subjects = new Set(rows.map(({ subject }) => subject));

  it("says of every row which schema entry or test covers it, and names only what exists", () => {
    expect(problemsOf(rows)).to.deep.equal([]);
  });

  it("has a row for every member of every schema", () => {
    const named = new Set(rows.flatMap(({ references }) => references));
    expect(schemaEntries().filter((entry) => !named.has(entry))).to.deep.equal([]);
  });

  it("has a row for every operation that the platform serves, and for every query parameter", async () => {
    const { body } = await t.request("GET", "/openapi.json");
    const operations = operationsOf(parsed(Served, body));
    expect(operations.filter((operation) => !subjects.has(operation))).to.deep.equal([]);
  });
});

const Served = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]) }),
    ),
  ),
});

/** `GET /v2/deployments` and `GET /v2/deployments?limit` of an OpenAPI document. */
function operationsOf({ paths }: z.infer<typeof Served>): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters }]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const queries = parameters.filter((parameter) => parameter.in === "query");
      return [name, ...queries.map((parameter) => `${name}?${parameter.name}`)];
    }),
  );
}
