import { expect } from "chai";
import { lastLines, nextLines } from "../../../local/page/log-cursor";
import { useFolder } from "../children";
import { addRevision, openLogs } from "../logs/logged";

describe("the log that the page shows", () => {
  const folder = useFolder();

  it("goes on with the deploy after the last line of the build, and back where that has more or older lines are asked for", async () => {
    const { database, logs } = openLogs(folder("platform.db"));
    const build = addRevision(database, "d", "r");
    const write = (type: "build" | "deploy", text: string) =>
      logs.write({ ...build, type }, "INFO", text, []);
    write("build", "one");
    let { cursor, lines } = await lastLines({ logs }, "r", {});
    const next = async (text = "") => {
      ({ cursor, lines } = await nextLines({ logs }, cursor, { text }));
      return lines.map(({ message }) => message);
    };
    expect(lines).to.have.length(1);
    write("deploy", "two");
    expect(await next()).to.deep.equal(["two"]);
    write("build", "three\nFour");
    expect(await next("four")).to.deep.equal(["Four"]);
    expect(await next()).to.deep.equal([]);
    write("build", `${"other\n".repeat(1000)}found`);
    let found: string[] = [];
    // As often as the page asks for at most 200 lines.
    for (let asked = 0; asked < 10 && found.length === 0; asked += 1) found = await next("found");
    expect(found).to.deep.equal(["found"]);
    ({ lines } = await lastLines({ logs }, "r", { type: "build", text: "E", before: 2 }));
    expect(lines.map(({ message }) => message)).to.deep.equal(["one"]);
    await logs.close();
    database.close();
  });
});
