import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import {
  filesOf,
  generateSdk,
  PYTHON_SDK,
  SCHEMA_HASH,
  schemaHash,
} from "../../scripts/sdks/generate";
import { KINDS } from "../../provider/kinds";
import { needGo } from "../support/languages";
import { describeLong } from "../support/tiers";

describe("the committed SDK for Python", () => {
  it("was generated from the committed schema: else run `npm run sdks`, which needs Go", async () => {
    expect(await readFile(SCHEMA_HASH, "utf8")).to.equal(await schemaHash());
  });
});

describeLong("the SDKs of other languages, by Pulumi's own generators", () => {
  let folder: string;

  before(async function () {
    await needGo(this);
    folder = await mkdtemp(join(tmpdir(), "agentserver-sdks-"));
  });
  after(() => folder && rm(folder, { recursive: true, force: true }));

  it("are made of a schema that keeps Pulumi's rules; that of Python is committed: else run `npm run sdks`", async () => {
    const python = join(folder, "python");
    await generateSdk("python", python);
    expect(await filesOf(PYTHON_SDK)).to.deep.equal(await filesOf(python));
  });

  it("are made for Go, with a type for each kind", async () => {
    const go = join(folder, "go");
    await generateSdk("go", go);
    const files = await filesOf(go);
    const kinds = Object.values(KINDS).map(({ lifecycle }) => `agentserver/${lifecycle}.go`);
    expect(Object.keys(files)).to.include.members(kinds);
    expect(files["agentserver/deployment.go"]).to.contain(
      'pulumi.String("pulumi-nodejs:dynamic/agentserver:Deployment")',
    );
  });

  it("are made for Node.js", async () => {
    const nodejs = join(folder, "nodejs");
    await generateSdk("nodejs", nodejs);
    expect(Object.keys(await filesOf(nodejs))).to.include.members([
      "deployment.ts",
      "package.json",
    ]);
  });
});
