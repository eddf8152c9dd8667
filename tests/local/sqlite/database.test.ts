import { expect } from "chai";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Database, isBusy, NewerSchemaError } from "../../../local/sqlite/database";

const MIGRATIONS = ["CREATE TABLE texts (text TEXT)"];
const Row = z.object({ text: z.string() });

describe("local/sqlite/database", () => {
  let folder: string;
  let path: string;
  let database: Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentserver-database-"));
    path = join(folder, "test.db");
    database = new Database(path, { access: "exclusive", migrations: MIGRATIONS });
  });
  afterEach(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  const add = (text: string) => database.run("INSERT INTO texts VALUES (?)", text);
  const count = () => database.all(Row, "SELECT text FROM texts").length;
  const reopen = (migrations: string[]) => {
    database.close();
    database = new Database(path, { access: "exclusive", migrations });
  };

  it("says that the disk is full, keeps nothing, and goes on when there is room", () => {
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
  });

  it("takes back what was written before the work failed", () => {
    const work = () => {
      add("half");
      throw new Error("the work failed");
    };
    expect(() => database.transaction(work)).to.throw("the work failed");
    expect(count()).to.equal(0);
  });

  it("takes back a transaction within another with the outer one", () => {
    const work = () => {
      database.transaction(() => add("inner"));
      throw new Error("the work failed");
    };
    expect(() => database.transaction(work)).to.throw("the work failed");
    expect(count()).to.equal(0);
  });

  it("is for its user only", async () => {
    for (const name of ["test.db", "test.db-wal"])
      expect((await stat(join(folder, name))).mode & 0o777, name).to.equal(0o600);
  });

  it("runs the migrations that the file does not have yet, once", () => {
    add("old");
    const migrations = [...MIGRATIONS, "INSERT INTO texts VALUES ('migrated')"];
    reopen(migrations);
    reopen(migrations);
    expect(count()).to.equal(2);
  });

  it("stores nothing of migrations of which one fails", () => {
    add("old");
    const migrations = [...MIGRATIONS, "INSERT INTO texts VALUES ('migrated')", "not SQL"];
    expect(() => reopen(migrations)).to.throw("syntax error");
    reopen(MIGRATIONS);
    expect(count()).to.equal(1);
  });

  it("refuses a file of a newer schema, and leaves it as it is", () => {
    add("new");
    expect(() => reopen([])).to.throw(NewerSchemaError, "test.db has schema version 1");
    reopen(MIGRATIONS);
    expect(count()).to.equal(1);
  });

  it("is exclusive until it is closed, or shared with others", () => {
    const open = (access: "exclusive" | "shared") =>
      new Database(path, { access, migrations: MIGRATIONS });
    let error: unknown;
    try {
      open("exclusive");
    } catch (caught) {
      error = caught;
    }
    expect(isBusy(error)).to.equal(true);
    database.close();
    const [one, other] = [open("shared"), open("shared")];
    one.run("INSERT INTO texts VALUES ('shared')");
    expect(other.all(Row, "SELECT text FROM texts")).to.deep.equal([{ text: "shared" }]);
    one.close();
    other.close();
  });
});
