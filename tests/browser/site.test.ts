import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import { filesOf } from "../repository/documents";
import { describeLong } from "../support/tiers";

const SITE = join(REPOSITORY, "dist/site");

/** The files that a page's elements name, each with its anchor; those on the web are not asked. */
function targetsOf(path: string): { readonly file: string; readonly anchor: string }[] {
  const html = readFileSync(join(SITE, path), "utf8");
  return [...html.matchAll(/<[^>]* (?:href|src)="([^"]*)"/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^(?:https?|mailto|data):/.test(target))
    .map((target) => {
      const [file = "", anchor = ""] = decodeURIComponent(target).split("#");
      return { file: file === "" ? path : normalize(join(dirname(path), file)), anchor };
    });
}

describeLong("the site that npm run docs builds, opened from a folder", () => {
  let pages: string[];

  before(async () => {
    await promisify(execFile)("npm", ["run", "--silent", "docs"], { cwd: REPOSITORY });
    pages = readdirSync(SITE, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".html"),
    );
  });

  it("leads somewhere with every link, and to a heading where it names one", () => {
    const anchors = new Map(
      pages.map((path) => {
        const html = readFileSync(join(SITE, path), "utf8");
        return [path, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id))];
      }),
    );
    const broken = pages.flatMap((path) =>
      targetsOf(path)
        .filter(({ file, anchor }) =>
          anchors.has(file)
            ? anchor !== "" && !anchors.get(file)?.has(anchor)
            : !existsSync(join(SITE, file)),
        )
        .map(({ file, anchor }) => `${path}: ${file}#${anchor}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it("has every document for users, one after the other from the start", () => {
    const read: string[] = [];
    let path: string | undefined = "index.html";
    while (path !== undefined && !read.includes(path)) {
      read.push(path);
      const html: string = readFileSync(join(SITE, path), "utf8");
      const next = /<a href="([^"]*)" rel="next"/.exec(html)?.[1];
      path = next && normalize(join(dirname(path), next));
    }
    const documents = filesOf("*.md")
      .filter((file) => /^(?:[^/]+|docs\/.+|examples\/[^/]+\/README)\.md$/.test(file))
      // Those for contributors, and those that Pulumi's registry takes.
      .filter((file) => !/^(?:CONTRIBUTING\.md$|docs\/dev\/)/.test(file))
      .filter((file) => !/^docs\/(?:_index|installation-configuration)\.md$/.test(file));
    const expected = documents.map((file) =>
      file
        .replace(/^README\.md$/, "index.md")
        // TypeDoc numbers a name that differs from another one, docs/security.md, in its case alone.
        .replace(/^SECURITY\.md$/, "SECURITY-1.md")
        .replace(/^docs\//, "")
        .replace(/(?:\/README)?\.md$/, ".html"),
    );
    expect(read).to.include.members(expected);
  });
});
