import { expect } from "chai";
import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { Database, isBusy, OtherSchemaError } from "../../../local/sqlite/database";
import { useFolder } from "../children";

const SCHEMA = "CREATE TABLE texts (text TEXT)";
const Row = z.object({ text: z.string() });

describe("local/sqlite/database", () => {
  const folder = useFolder();
  let path: string;
  let database: Database;
  beforeEach(() => {
    path = folder("test.db");
    database = new Database(path, { access: "exclusive", schema: SCHEMA });
  });
  afterEach(() => database.close());

  const add = (text: string) => database.run("INSERT INTO texts VALUES (?)", text);
  const count = () => database.all(Row, "SELECT text FROM texts").length;
  const reopen = (schema: string) => {
    database.close();
    database = new Database(path, { access: "exclusive", schema });
  };

  it("says that the disk is full, keeps nothing, and goes on when there is room; takes back what was written before work failed, also by a transaction within", () => {
    database.execute("PRAGMA max_page_count = 8");
    const fill = () =>
      database.transaction(() => {
        add("small");
        add("x".repeat(100_000));
      });
    expect(fill).to.throw("database or disk is full");
    expect(count()).to.equal(0);
    database.execute("PRAGMA max_page_count = 1000");
    fill();
    expect(count()).to.equal(2);
    const work = () => {
      add("half");
      database.transaction(() => add("inner"));
      throw new Error("the work failed");
    };
    expect(() => database.transaction(work)).to.throw("the work failed");
    expect(count()).to.equal(2);
  });

  it("is for its user only, and exclusive until it is closed, or shared with others", async () => {
    for (const name of ["test.db", "test.db-wal"])
      expect((await stat(folder(name))).mode & 0o777, name).to.equal(0o600);
    const open = (access: "exclusive" | "shared") => new Database(path, { access, schema: SCHEMA });
    expect(() => open("exclusive"))
      .to.throw()
      .that.satisfies(isBusy);
    database.close();
    const [one, other] = [open("shared"), open("shared")];
    one.run("INSERT INTO texts VALUES ('shared')");
    expect(other.all(Row, "SELECT text FROM texts")).to.deep.equal([{ text: "shared" }]);
    one.close();
    other.close();
  });

  it("refuses a file with another schema, without a byte written, and creates all tables or none, and all of them the next time", async () => {
    add("other");
    database.close();
    const before = await readFile(path);
    for (const schema of [`${SCHEMA} `, "CREATE TABLE texts (text TEXT, more TEXT)"])
      expect(() => reopen(schema)).to.throw(OtherSchemaError, "another release of");
    expect(await readFile(path)).to.deep.equal(before);
    reopen(SCHEMA);
    expect(count()).to.equal(1);
    database.close();
    path = folder("new.db");
    expect(() => reopen(`${SCHEMA}; not SQL`)).to.throw("syntax error");
    reopen(SCHEMA);
    expect(count()).to.equal(0);
  });
});
