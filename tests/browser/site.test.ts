import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import { filesOf } from "../repository/documents";
import { describeLong } from "../support/tiers";

const SITE = join(REPOSITORY, "dist/site");

describeLong("the site that npm run docs builds, opened from a folder", () => {
  it("is built without a warning, so no link is broken, and has every document for users one after the other", async () => {
    await promisify(execFile)("npm", ["run", "--silent", "docs"], { cwd: REPOSITORY });
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
