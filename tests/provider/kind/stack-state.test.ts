import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { sharedReader } from "../../../provider/kind/shared-reader";
import {
  exportStackState,
  parseStackState,
  type StackState,
} from "../../../provider/kind/stack-state";
import { UNKNOWN } from "../../../provider/arguments/props";
import { makeProject } from "../../../scripts/project";
import { URN } from "../../support/inputs";
import { rejection } from "../../support/rejection";

const SECRET = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:nonce:text",
};

describe("the state of a stack", () => {
  it("has the creates that have not ended, and nothing that is encrypted", () => {
    const inputs = { env: { A: "1" }, secrets: SECRET, list: [SECRET, { key: SECRET }] };
    const pending_operations = [
      { type: "creating", resource: { urn: URN, inputs } },
      { type: "updating", resource: { urn: URN, inputs } },
    ];
    const { resources, creating } = parseStackState(
      JSON.stringify({ deployment: { resources: null, pending_operations } }),
    );
    expect(resources).to.deep.equal([]);
    expect(creating).to.deep.equal([
      {
        urn: URN,
        inputs: { env: { A: "1" }, secrets: UNKNOWN, list: [UNKNOWN, { key: UNKNOWN }] },
      },
    ]);
  });

  it("is not that of a stack which shows neither the create that asks nor its resource, and the error says why it can't be read", async () => {
    const project = await makeProject("agentserver-state-");
    const before = { ...process.env };
    const cwd = process.cwd();
    const reason = async () => (await rejection(exportStackState(URN))).message;
    try {
      Object.assign(process.env, project.environment);
      process.chdir(project.dir);
      await writeFile(join(project.dir, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
      expect(await reason()).to.equal("no stack named 'dev' found");
      await promisify(execFile)("pulumi", ["stack", "init", "dev"]);
      expect(await reason()).to.equal("it does not show this create");
      const resources = [{ urn: URN, type: "agentserver:index:Deployment", custom: false }];
      const state = JSON.stringify({
        version: 3,
        deployment: {
          manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
          resources,
        },
      });
      await writeFile("state.json", state);
      await promisify(execFile)("pulumi", ["stack", "import", "--file", "state.json", "--force"]);
      const read = await exportStackState(URN);
      expect(read.resources.map(({ urn }) => urn)).to.deep.equal([URN]);
      const another = await rejection(exportStackState(`${URN}-other`));
      expect(another.message).to.equal("it does not show this create");
      process.env["PATH"] = project.dir;
      expect(await reason()).to.equal("the command pulumi was not found");
    } finally {
      process.chdir(cwd);
      process.env = before;
      await project.remove();
    }
  });

  it("is read once for all that ask at the same time, and again for those that ask while it is read", async () => {
    const reads: ((state: StackState) => void)[] = [];
    const read = sharedReader(() => new Promise((resolve) => reads.push(resolve)));
    const state = (): StackState => ({ resources: [], creating: [] });
    const [first, same] = [read(URN), read(URN)];
    await Promise.resolve();
    const [later, latest] = [read(URN), read(URN)];
    expect(reads).to.have.length(1);
    const one = state();
    reads[0]?.(one);
    expect([await first, await same]).to.deep.equal([one, one]);
    expect(reads).to.have.length(2);
    const other = state();
    reads[1]?.(other);
    expect(await later).to.equal(other);
    expect(await latest).to.equal(other);
  });
});
