import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";

/** The files that a process has loaded when it has required these modules. */
async function loadedFiles(...modules: readonly string[]): Promise<string[]> {
  const script = `${modules.map((name) => `require("${name}");`).join(" ")} console.log(JSON.stringify(Object.keys(require.cache)))`;
  const ran = promisify(execFile)(process.execPath, ["-e", script], { cwd: REPOSITORY });
  return JSON.parse((await ran).stdout);
}

/** The local platform and the packages that only it needs. */
const PLATFORM = /node_modules\/(@hono|@libsql|hono|libsql|marked|oauth4webapi)\/|\/dist\/local\//;

/** Modules that the first request needs. */
const LATER = /node_modules\/(axios|zod|fastest-levenshtein|p-limit)\/|\/dist\/sdk\//;

describe("a program that imports the package", () => {
  it("loads neither the HTTP library, nor the schema, nor the client before a function is called", async () => {
    const files = await loadedFiles("pulumi-agentserver");
    expect(files.join("\n")).to.contain("/dist/provider/functions/");
    expect(files.filter((file) => LATER.test(file) && !file.includes("/@pulumi/"))).to.be.empty;
  });

  it("needs nothing of the local platform, nor does what serves its resources", async () => {
    const serving = ["./dist/provider/lifecycles", "./dist/provider/adapters/dynamic/serve"];
    const program = ["pulumi-agentserver", "pulumi-agentserver/native", "pulumi-agentserver/sdk"];
    const files = await loadedFiles(...program, ...serving);
    expect(files.filter((file) => PLATFORM.test(file))).to.be.empty;
  });

  it("has its resources served by one file of ours", async () => {
    const files = await loadedFiles("pulumi-agentserver/provider/lifecycle");
    expect(files.filter((file) => !file.includes("/node_modules/"))).to.have.lengthOf(1);
  });
});

describe("the native provider's kinds and functions", () => {
  it("load nothing of Pulumi's program runtime", async () => {
    const files = await loadedFiles("./dist/provider/lifecycles", "./dist/provider/functions");
    expect(files.join("\n")).to.contain("/dist/provider/functions/declarations/");
    expect(files.filter((file) => file.includes("/@pulumi/"))).to.be.empty;
  });
});
