import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { startAgentServer } from "../../local/agentserver";
import { REPOSITORY } from "../../scripts/project";
import { recordOf } from "../../shared/records";
import { startTestPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const STRICT = "--ignoreConfig --strict --skipLibCheck --types node --esModuleInterop".split(" ");

const PROGRAM = `
import createClient from "openapi-fetch";
import type { operations, paths } from "./types";

type Listed = operations["listDeployments"]["responses"][200]["content"]["application/json"];

async function list({ baseUrl, headers }: { baseUrl: string; headers: Record<string, string> }) {
  const { data } = await createClient<paths>({ baseUrl, headers }).GET("/v2/deployments");
  const listed: Listed | undefined = data;
  const cpu: (number | null)[] = (listed?.resources ?? []).map(
    ({ source_config }) => source_config.resource_spec?.cpu ?? null,
  );
  console.log(JSON.stringify({ names: listed?.resources.map(({ name }) => name), cpu }));
}

list(JSON.parse(process.argv[2] ?? "{}"));
`;

describeLong("the types that a generator makes of the OpenAPI documents", function () {
  this.timeout(300_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentserver-generated-"));
    await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs a program in the folder. The compiler writes its errors to the standard output. */
  const run = async (file: string, ...args: string[]): Promise<string> => {
    try {
      const words = [join("node_modules", file), ...args];
      return (await promisify(execFile)(process.execPath, words, { cwd: folder })).stdout;
    } catch (error) {
      const { stdout, stderr } = recordOf(error);
      throw new Error(`${String(stdout)}${String(stderr)}`, { cause: error });
    }
  };
  const generate = async (document: unknown) => {
    await writeFile(join(folder, "document.json"), JSON.stringify(document));
    await run("openapi-typescript/bin/cli.js", "document.json", "--output", "types.ts");
  };

  it("of the control plane compile strictly in a program that lists deployments", async () => {
    const t = await startTestPlatform();
    try {
      const { name } = await t.create();
      await generate((await t.request("GET", "/openapi.json")).body);
      await writeFile(join(folder, "program.ts"), PROGRAM);
      const target = ["--module", "commonjs", "--target", "es2022", "--outDir", "out"];
      await run("typescript/bin/tsc", ...STRICT, ...target, "program.ts");
      const { url: baseUrl, apiKey, workspaceId } = t.platform;
      const headers = { "x-api-key": apiKey, "x-tenant-id": workspaceId };
      const printed = await run("../out/program.js", JSON.stringify({ baseUrl, headers }));
      expect(JSON.parse(printed)).to.have.deep.property("names", [name]);
    } finally {
      await t.close();
    }
  });

  it("of the built-in agent server compile strictly", async () => {
    const settings = { graphs: ["agent"], variables: [], commit: null };
    const server = await startAgentServer({ database: join(folder, "threads.db"), ...settings });
    try {
      await generate(await (await fetch(`${server.url}/openapi.json`)).json());
    } finally {
      await server.close();
    }
    await run("typescript/bin/tsc", ...STRICT, "--noEmit", "--module", "preserve", "types.ts");
  });
});
