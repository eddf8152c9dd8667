import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/project";

export type Sources = Readonly<Record<string, string>>;

export const programsIn = (folder: string): Sources =>
  Object.fromEntries(pathsIn(folder, ".ts").map((path) => [path, read(path)]));

/** Every `@example` of what programs import, each a program by itself, and of the client. */
export function examples(): Sources {
  const paths = [...pathsIn("provider", ".ts"), ...pathsIn("sdk", ".ts")];
  return blocksOf(paths, /@example\n \* ```ts\n([\s\S]*?) \* ```/g, (block) =>
    inFrame(block.replaceAll(/^ \* ?/gm, "")),
  );
}

/** Every block of TypeScript in the documents. Those of the reference are the examples. */
export function documents(): Sources {
  const own = pathsIn("docs", ".md").filter((path) => !path.startsWith("docs/reference/"));
  const paths = ["README.md", ...own, ...pathsIn("examples", ".md")];
  const blocks = blocksOf(paths, /^ *```(?:ts|typescript)\n([\s\S]*?)^ *```/gm, inFrame);
  return { "docs/program.ts": blocks["README.md.1.ts"] ?? "", ...blocks };
}

const IMAGE = '{ imageUri: "registry.example.com/support:1" }';
/** What blocks take for declared: the shortest line that declares it, after those that it needs. */
const FRAME: Readonly<Record<string, string>> = {
  pulumi: 'import * as pulumi from "@pulumi/pulumi";',
  agentserver: 'import * as agentserver from "pulumi-agentserver";',
  assert: 'import assert from "node:assert";',
  AgentServer: 'import { AgentServer } from "pulumi-agentserver/sdk";',
  ControlPlane: 'import { ControlPlane } from "pulumi-agentserver/sdk";',
  startLocalPlatform: 'import { startLocalPlatform } from "pulumi-agentserver/local";',
  config: "const config = new pulumi.Config();",
  baseUrl: 'const baseUrl = process.env["AGENTSERVER_BASE_URL"] ?? "";',
  apiKey: 'const apiKey = process.env["AGENTSERVER_API_KEY"] ?? "";',
  workspaceId: 'const workspaceId = process.env["AGENTSERVER_WORKSPACE_ID"] ?? "";',
  url: 'const url = process.env["AGENT_URL"] ?? "";',
  dataDir: 'const dataDir = ".agentserver";',
  controlPlane: "const controlPlane = new ControlPlane({ baseUrl, apiKey, workspaceId });",
  platform: "const platform = await startLocalPlatform({ port: 0, dataDir });",
  args: `const args: agentserver.DeploymentArgs = { source: "external_container", sourceRevisionConfig: ${IMAGE} };`,
  support: 'const support = new agentserver.Deployment("support", args);',
  fixture: 'const fixture = new agentserver.Thread("fixture", { deploymentUrl: support.url });',
  eu: 'const eu = new agentserver.Provider("eu", { baseUrl, apiKey, workspaceId });',
};

/** A block after what it takes for declared. */
function inFrame(block: string): string {
  return Object.entries(FRAME)
    .toReversed()
    .reduce(
      (text, [name, line]) =>
        uses(text, name) && !declares(text, name) ? `${line} ${text}` : text,
      `${block}export {};\n`,
    );
}

const uses = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w"'/@-]|[^.]\\.)${name}(?![\\w"'-]|:)`).test(text);

function declares(text: string, name: string): boolean {
  const pattern = `(const|let|as|import) ${name}\\b|(const|import) \\{[^}]*\\b${name}\\b[^}]*\\} (=|from)`;
  return new RegExp(pattern).test(text);
}

function blocksOf(paths: readonly string[], pattern: RegExp, toText: (block: string) => string) {
  const blocks = paths.flatMap((path) =>
    [...read(path).matchAll(pattern)].map(([, block = ""], at) => [
      `${path}.${at + 1}.ts`,
      toText(block),
    ]),
  );
  return Object.fromEntries(blocks);
}

function pathsIn(folder: string, extension: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { encoding: "utf8", recursive: true })
    .filter((path) => path.endsWith(extension))
    .map((path) => `${folder}/${path}`)
    .toSorted();
}

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
