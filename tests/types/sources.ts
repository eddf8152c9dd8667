import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/project";

/** Programs by their paths in the repository. */
export type Sources = Readonly<Record<string, string>>;

export function programsIn(folder: string): Sources {
  return Object.fromEntries(pathsIn(folder, ".ts").map((path) => [path, read(path)]));
}

/** Every `@example` of what programs import, each a program by itself. */
export function examples(): Sources {
  return blocksOf(pathsIn("provider", ".ts"), /@example\n \* ```ts\n([\s\S]*?) \* ```/g, (block) =>
    block.replaceAll(/^ \* ?/gm, ""),
  );
}

/** Every block of TypeScript in the documents, after what it takes for declared. */
export function documents(): Sources {
  const paths = ["README.md", ...pathsIn("docs", ".md"), ...pathsIn("examples", ".md")];
  const blocks = blocksOf(paths, /^ *```ts\n([\s\S]*?)^ *```/gm, (block) => {
    const lacking = Object.entries(DECLARED).filter(([name]) => !declares(block, name));
    const before = lacking.map(([name, type]) => `declare const ${name}: ${type}; `);
    return `${before.join("")}${block}export {};\n`;
  });
  return { "docs/program.ts": `export declare const url: ${OUTPUT}<string>;`, ...blocks };
}

const OUTPUT = 'import("@pulumi/pulumi").Output';
const DECLARED: Readonly<Record<string, string>> = {
  pulumi: 'typeof import("@pulumi/pulumi")',
  agentserver: 'typeof import("pulumi-agentserver")',
  assert: 'typeof import("node:assert")',
  config: 'import("@pulumi/pulumi").Config',
  args: 'import("pulumi-agentserver").DeploymentArgs',
  support: 'import("pulumi-agentserver").Deployment',
  fixture: 'import("pulumi-agentserver").Thread',
  eu: 'import("pulumi-agentserver").Provider',
  platform: 'import("pulumi-agentserver/local").LocalPlatform',
  baseUrl: "string",
  url: "string",
  apiKey: "string",
  workspaceId: "string",
  dataDir: "string",
};

function declares(block: string, name: string): boolean {
  return new RegExp(`(const|let|as|import) ${name}\\b|const \\{[^}]*\\b${name}\\b[^}]*\\} =`).test(
    block,
  );
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
