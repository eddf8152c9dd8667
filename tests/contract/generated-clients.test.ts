import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { recordOf } from "../../shared/records";
import { REPOSITORY } from "../../scripts/project";
import { startAgentServer } from "../../local/agentserver";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const TIMEOUT_MS = 300_000;
const STRICT = "--ignoreConfig --strict --skipLibCheck --types node".split(" ");

const PROGRAM = `
import createClient from "openapi-fetch";
import type { operations, paths } from "./types";
import { createClient as createConfigured } from "./client/client";
import { listDeployments } from "./client";

type Listed = operations["listDeployments"]["responses"][200]["content"]["application/json"];

async function list({ baseUrl, headers }: { baseUrl: string; headers: Record<string, string> }) {
  const { data } = await createClient<paths>({ baseUrl, headers }).GET("/v2/deployments");
  const listed: Listed | undefined = data;
  const cpu: (number | null)[] = (listed?.resources ?? []).map(
    ({ source_config }) => source_config.resource_spec?.cpu ?? null,
  );
  const client = createConfigured({ baseUrl, headers });
  const { data: again } = await listDeployments({ client, query: { limit: 1 } });
  const names = [listed?.resources, again?.resources].map((all) => all?.map(({ name }) => name));
  console.log(JSON.stringify({ names, cpu }));
}

list(JSON.parse(process.argv[2] ?? "{}"));
`;

/** The file of a package's command. */
function commandOf(name: string, path: string): string {
  const main = createRequire(__filename).resolve(`${name}/package.json`);
  return join(dirname(main), path);
}

/** Runs a program in a folder. The compiler writes its errors to the standard output. */
async function run(cwd: string, file: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, [file, ...args], { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = recordOf(error);
    throw new Error(`${String(stdout)}${String(stderr)}`, { cause: error });
  }
}

/** Generates types and a client from a document, by the two generators. */
async function generate(folder: string, document: unknown): Promise<void> {
  await writeFile(join(folder, "document.json"), JSON.stringify(document));
  const types = commandOf("openapi-typescript", "bin/cli.js");
  await run(folder, types, "document.json", "--output", "types.ts");
  const client = commandOf("@hey-api/openapi-ts", "bin/run.js");
  await run(folder, client, "--input", "document.json", "--output", "client", "--silent");
}

describeLong("clients that generators make of the OpenAPI documents", function () {
  this.timeout(TIMEOUT_MS);
  const tsc = commandOf("typescript", "bin/tsc");
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentserver-generated-"));
    await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  describe("of the control plane", () => {
    let t: TestPlatform;
    beforeEach(async () => (t = await startTestPlatform()));
    afterEach(() => t.close());

    it("compile strictly and list deployments", async () => {
      const { name } = await t.create();
      await generate(folder, (await t.request("GET", "/openapi.json")).body);
      await writeFile(join(folder, "program.ts"), PROGRAM);
      const target = ["--module", "commonjs", "--target", "es2022", "--outDir", "out"];
      await run(folder, tsc, ...STRICT, ...target, "--esModuleInterop", "program.ts");
      const { url: baseUrl, apiKey, workspaceId } = t.platform;
      const headers = { "x-api-key": apiKey, "x-tenant-id": workspaceId };
      const given = JSON.stringify({ baseUrl, headers });
      const printed: unknown = JSON.parse(await run(folder, "out/program.js", given));
      expect(printed).to.have.deep.property("names", [[name], [name]]);
    });
  });

  it("of the built-in agent server compile strictly", async () => {
    const database = join(folder, "threads.db");
    const server = await startAgentServer({
      database,
      graphs: ["agent"],
      variables: [],
      commit: null,
    });
    try {
      const answer = await fetch(`${server.url}/openapi.json`);
      await generate(folder, await answer.json());
    } finally {
      await server.close();
    }
    await run(
      folder,
      tsc,
      ...STRICT,
      "--noEmit",
      "--module",
      "preserve",
      "types.ts",
      "client/index.ts",
    );
  });
});
