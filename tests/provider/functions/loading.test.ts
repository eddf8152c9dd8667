import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";

/** Files that a program has loaded when it has imported the package, without those of Pulumi's SDK. */
async function loadedFiles(): Promise<string[]> {
  const script =
    'require("pulumi-agentserver"); console.log(JSON.stringify(Object.keys(require.cache)))';
  const options = { cwd: REPOSITORY };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], options);
  const files: string[] = JSON.parse(stdout);
  return files.filter((file) => !file.includes("/@pulumi/"));
}

/** What the first request needs. */
const LATER = /node_modules\/(axios|zod|fastest-levenshtein|p-limit)\/|\/dist\/sdk\//;

describe("a program that imports the package", () => {
  it("loads neither the HTTP library, nor the schema, nor the client before a function is called", async () => {
    const files = await loadedFiles();
    expect(files.join("\n")).to.contain("/dist/provider/functions/");
    expect(files.filter((file) => LATER.test(file))).to.be.empty;
  });
});
