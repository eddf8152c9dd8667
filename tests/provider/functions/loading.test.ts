import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";

/** The files that a process has loaded when it has required these modules. */
async function loadedFiles(...modules: readonly string[]): Promise<string[]> {
  const script = `${modules.map((name) => `require("${name}");`).join(" ")} console.log(JSON.stringify(Object.keys(require.cache)))`;
  const options = { cwd: REPOSITORY };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], options);
  return JSON.parse(stdout);
}

/** The local platform and the packages that only it needs. */
const PLATFORM = /node_modules\/(@hono|@libsql|hono|libsql|marked|oauth4webapi)\/|\/dist\/local\//;

/** Modules that the first request needs. */
const LATER = /node_modules\/(axios|zod|fastest-levenshtein|p-limit)\/|\/dist\/sdk\//;

describe("a program that imports the package", () => {
  it("loads neither the HTTP library, nor the schema, nor the client before a function is called", async () => {
    const files = await loadedFiles("pulumi-agentserver");
    const own = files.filter((file) => !file.includes("/@pulumi/"));
    expect(own.join("\n")).to.contain("/dist/provider/functions/");
    expect(own.filter((file) => LATER.test(file))).to.be.empty;
  });

  it("needs nothing of the local platform, nor does what serves its resources", async () => {
    const files = await loadedFiles(
      "pulumi-agentserver",
      "pulumi-agentserver/native",
      "pulumi-agentserver/provider/lifecycle",
      "pulumi-agentserver/sdk",
    );
    expect(files.filter((file) => PLATFORM.test(file))).to.be.empty;
  });
});

describe("the native provider's kinds and functions", () => {
  it("load nothing of Pulumi's program runtime", async () => {
    const files = await loadedFiles("./dist/provider/lifecycles", "./dist/provider/functions");
    expect(files.join("\n")).to.contain("/dist/provider/functions/declarations/");
    expect(files.filter((file) => file.includes("/@pulumi/"))).to.be.empty;
  });
});
