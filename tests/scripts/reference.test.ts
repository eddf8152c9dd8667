import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { generatedDocuments } from "../../scripts/reference/documents";
import { REPOSITORY } from "../../scripts/project";
import { filesOf } from "../repository/documents";

describe("the generated documents", () => {
  it("are what the declarations and the tables come to: else run `npm run schema`", () => {
    const documents = generatedDocuments();
    const committed = filesOf("docs/reference/*.md").map((path) => path.replace("docs/", ""));
    expect(Object.keys(documents)).to.include.members(committed);
    for (const [path, text] of Object.entries(documents))
      expect(readFileSync(join(REPOSITORY, "docs", path), "utf8"), path).to.equal(text);
  });
});
