import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { generatedDocuments } from "../../scripts/reference/documents";
import { REPOSITORY } from "../../scripts/project";
import { filesOf } from "../repository/documents";

describe("the generated documents", () => {
  let documents: Record<string, string>;

  before(() => {
    documents = generatedDocuments();
  });

  const rowOf = (page: string, argument: string): string | undefined =>
    documents[`reference/${page}.md`]
      ?.split("\n")
      .find((line) => line.startsWith(`| \`${argument}\`<br>`));

  it("are what the declarations and the tables come to: else run `npm run schema`", () => {
    const committed = filesOf("docs/reference/*.md").map((path) => path.replace("docs/", ""));
    expect(Object.keys(documents)).to.include.members(committed);
    for (const [path, text] of Object.entries(documents))
      expect(readFileSync(join(REPOSITORY, "docs", path), "utf8"), path).to.equal(text);
  });

  it("say which source requires an argument, what a change does, what is secret and the default", () => {
    expect(rowOf("Deployment", "repoUrl"))
      .to.contain("required with `git_host`")
      .and.match(/\| replaces it \|$/);
    expect(rowOf("Deployment", "buildOnPush"))
      .to.contain("`false`")
      .and.match(/\| in place, without a revision \|$/);
    expect(rowOf("Assistant", "apiKey"))
      .to.contain("string, secret")
      .and.match(/\| only the state \|$/);
    expect(rowOf("listRevisions", "limit")).to.contain("Default: all.");
    expect(rowOf("Deployment", "source")).to.contain("**required**");
  });

  it("name a message on the page of the resource that it is about, and on all where it is about none", () => {
    const pagesWith = (message: string): string[] =>
      Object.keys(documents).filter((path) => documents[path]?.includes(`- \`${message}`));
    expect(pagesWith("listener … exists")).to.deep.equal(["reference/Listener.md"]);
    expect(pagesWith("timed out …")).to.deep.equal(["reference/Deployment.md"]);
    expect(pagesWith("it may have created")).to.have.length(6);
  });
});
