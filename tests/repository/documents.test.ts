import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { anchorOf } from "../../scripts/reference/tables";
import { documentLines, filesOf, type Line } from "./documents";

const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /``\s?(.+?)\s?``|`([^`]+)`/g;
const FOLDERS = /^(?:shared|sdk|settings|provider|local|cli|tests|scripts|lab|docs|examples)\//;

/** The targets of a line's links that are not on the web. */
function linksIn({ text }: Line): string[] {
  return [...text.matchAll(LINK)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^https?:/.test(target));
}

/** The paths that a line names as code: `tests/x.test.ts` stands for a file of the reader's choice. */
function pathsIn({ text }: Line): string[] {
  return [...text.matchAll(CODE)]
    .flatMap(([, , code = ""]) => code.split(" "))
    .filter((word) => FOLDERS.test(word) && !/[*…<]|\/x\./.test(word))
    .map((word) => word.replace(/[:,;]$/, ""));
}

/** The folder from which a document's reader starts: an example is copied as a whole. */
const rootOf = ({ path }: Line): string => /^examples\/[^/]+/.exec(path)?.[0] ?? "";

function anchorsOf(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => /^#+ /.test(line))
    .map((line) => anchorOf(line.replace(/^#+ /, "")));
}

describe("the documents", () => {
  const lines = documentLines();

  it("link to files and headings that exist", () => {
    const broken = lines.flatMap((line) =>
      linksIn(line)
        .filter((target) => {
          const [file = "", anchor] = target.split("#");
          const path = file === "" ? line.path : join(dirname(line.path), file);
          return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
        })
        .map((target) => `${line.path}:${line.line}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it("name files and folders that exist", () => {
    const missing = lines.flatMap((line) =>
      pathsIn(line)
        .filter((path) => !existsSync(path) && !existsSync(join(rootOf(line), path)))
        .map((path) => `${line.path}:${line.line}: ${path}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it("map every folder of the package, those in provider/, local/ and cli/ too", () => {
    const folders = filesOf("shared", "sdk", "settings", "provider", "local", "cli").map((file) => {
      const [root = "", ...rest] = dirname(file).split("/");
      return [root, ...rest.slice(0, /^(?:provider|local|cli)$/.test(root) ? 1 : 0), ""].join("/");
    });
    const mapped = new Set(
      lines.filter(({ path }) => path === "docs/dev/folders.md").flatMap(pathsIn),
    );
    expect([...new Set(folders)].filter((folder) => !mapped.has(folder))).to.deep.equal([]);
  });
});
