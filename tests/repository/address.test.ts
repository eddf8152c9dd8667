import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";

const {
  repository,
  homepage,
  bugs,
  author,
}: Record<string, string> & {
  readonly repository: { readonly url: string };
} = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));

/** The repository's address: a placeholder until the project has one. `repository.url` in package.json says it. */
const ADDRESS = repository.url.replace(/^git\+|\.git$/g, "");

describe("the repository's address", () => {
  it("is that of package.json's other fields", () => {
    expect({ homepage, bugs, author }).to.deep.equal({
      homepage: `${ADDRESS}#readme`,
      bugs: `${ADDRESS}/issues`,
      author: `The authors of pulumi-agentserver (${ADDRESS})`,
    });
  });

  it("is the same in every file", () => {
    const anywhere = String.raw`(github\.com|github\.io|githubusercontent\.com)/[A-Za-z0-9-]+/pulumi-agentserver\b`;
    const found = execFileSync("git", ["grep", "-IhoE", anywhere], {
      cwd: REPOSITORY,
      encoding: "utf8",
    });
    const owner = ADDRESS.split("/").at(-2);
    const others = found
      .split("\n")
      .filter((place) => place !== "" && place.split("/")[1] !== owner);
    expect(
      [...new Set(others)],
      `package.json has ${ADDRESS}: replace these with \`git grep -l … | xargs sed -i\`, then run \`npm run schema\` and \`npm run sdks\``,
    ).to.deep.equal([]);
  });
});
