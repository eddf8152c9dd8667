import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect } from "chai";
import { preProcessFile } from "typescript";

const ours = [
  "shared",
  "settings",
  "provider",
  "sdk",
  "local",
  "cli",
  "examples",
  "tests",
  "scripts",
];

/** Imports of ours that a file of each folder may have, and those that it must not. */
const arrows = [
  {
    from: "shared/text.ts",
    allowed: ["./printable"],
    refused: [
      ...ours.filter((name) => name !== "shared").map((name) => `../${name}`),
      "@pulumi/pulumi",
    ],
  },
  {
    from: "sdk/http.ts",
    allowed: ["./schema", "../shared/printable", "axios"],
    refused: [
      ...ours.filter((name) => name !== "sdk" && name !== "shared").map((name) => `../${name}`),
      "@pulumi/pulumi",
    ],
  },
  {
    from: "sdk/schema/thread.ts",
    allowed: ["../errors", "zod"],
    refused: ["../../local/index", "../../provider/deployment", "pulumi-agentserver"],
  },
  {
    from: "local/routes/threads.ts",
    allowed: [
      "../../sdk/schema",
      "../../sdk/schema/thread",
      "../../sdk/dialect",
      "../../sdk/status",
      "../../shared/printable",
      "../store",
    ],
    refused: [
      "../../sdk",
      "../../sdk/http",
      "../../sdk/schemas",
      "../../provider",
      "../../settings/source",
      "../../cli/main",
      "../../scripts/demo",
      "@pulumi/pulumi",
      "@pulumi/pulumi/dynamic",
      "pulumi-agentserver/sdk",
    ],
  },
  {
    from: "provider/deployment/lifecycle.ts",
    allowed: [
      "../../sdk",
      "../../sdk/wait",
      "../../settings/settings",
      "../../shared/printable",
      "@pulumi/pulumi",
    ],
    refused: [
      "../../cli/table",
      "../../local",
      "../../local/clock",
      "../../examples/quickstart",
      "pulumi-agentserver",
    ],
  },
  {
    from: "settings/file.ts",
    allowed: ["../sdk", "../shared/printable", "./source"],
    refused: ["../provider", "../local/platform/folder", "../cli", "@pulumi/pulumi"],
  },
  {
    from: "cli/commands/move.ts",
    allowed: [
      "../../sdk",
      "../../settings/settings",
      "../../local",
      "../../shared/printable",
      "../../provider/existing",
    ],
    refused: [
      "../../provider",
      "../../provider/lifecycles",
      "@pulumi/pulumi",
      "pulumi-agentserver/sdk",
    ],
  },
  {
    from: "examples/quickstart/index.ts",
    allowed: ["pulumi-agentserver", "@pulumi/pulumi", "./agent/settings"],
    refused: [
      "../../provider",
      "../../sdk/schema",
      "../../settings/source",
      "../../shared/printable",
      "../../local/index",
      "../../cli/table",
    ],
  },
  {
    from: "tests/sdk/http.test.ts",
    allowed: ["../../provider", "../../local", "@pulumi/pulumi"],
    refused: [],
  },
];

/** Files that import types of each other. */
const CIRCLE = [
  ["first", "second"],
  ["second", "first"],
] as const;

describe("lint", () => {
  let folder: string;
  let report: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "agentserver-arrows-"));
    copyFileSync(".oxlintrc.json", join(folder, ".oxlintrc.json"));
    for (const { from, allowed, refused } of arrows) {
      mkdirSync(dirname(join(folder, from)), { recursive: true });
      const lines = [...allowed, ...refused].map(
        (name, at) => `export { x as x${at} } from "${name}";\n`,
      );
      writeFileSync(join(folder, from), lines.join(""));
    }
    for (const [from, to] of CIRCLE) {
      mkdirSync(join(folder, "sdk"), { recursive: true });
      const name = (file: string) => `T${file.length}`;
      const text = `import type { ${name(to)} } from "./${to}";\nexport interface ${name(from)} { x: ${name(to)} }\n`;
      writeFileSync(join(folder, "sdk", `${from}.ts`), text);
    }
    report = await new Promise((done) =>
      execFile(resolve("node_modules/.bin/oxlint"), ["-f", "unix"], { cwd: folder }, (_, stdout) =>
        done(stdout),
      ),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  it("refuses a circle of imports, though it is of types only", () => {
    for (const [file] of CIRCLE) expect(report).to.match(new RegExp(`sdk/${file}.ts.*no-cycle`));
  });

  for (const { from, refused } of arrows)
    it(`refuses in ${from}: ${refused.join(", ") || "nothing of ours"}`, () => {
      const found = report
        .split("\n")
        .filter((line) => line.startsWith(from) && line.includes("no-restricted-imports"))
        .map((line) => /'(.*)' import/.exec(line)?.[1]);
      expect([...new Set(found)]).to.have.members(refused);
    });
});

/** The files that each file imports, in whatever form: lint overlooks the type `typeof import("./other")`. */
function importsOf(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const sources = files.filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  return new Map(
    sources.map((file) => {
      const names = preProcessFile(readFileSync(file, "utf8"), true, true).importedFiles;
      const targets = names.flatMap(({ fileName }) => {
        const path = join(dirname(file), fileName.replace(/\.js$/, ""));
        return [`${path}.ts`, `${path}.tsx`, join(path, "index.ts")];
      });
      return [file, targets.filter((target) => sources.includes(target))];
    }),
  );
}

/** The files that are left when those go, again and again, of which no import is left. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  let left = [...imports.keys()];
  for (let before = 0; before !== left.length;) {
    before = left.length;
    left = left.filter((file) => imports.get(file)?.some((other) => left.includes(other)));
  }
  return left;
}

describe("the sources", () => {
  const imports = importsOf(["shared", "sdk", "settings", "provider", "local", "cli"]);

  it("import each other in no circle, through the type of a module neither", () =>
    expect(circlesIn(imports)).to.deep.equal([]));

  it("would form one through the type of a module", () => {
    const file = join("provider", "resource-types.ts");
    const text = `export type Name = keyof typeof import("./lifecycle");`;
    const [{ fileName } = { fileName: "" }] = preProcessFile(text, true, true).importedFiles;
    const through = [join("provider", `${fileName}.ts`)];
    expect(circlesIn(new Map([...imports, [file, through]]))).to.include(file);
  });
});
