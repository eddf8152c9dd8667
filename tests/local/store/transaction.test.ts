import { expect } from "chai";
import Libsql from "libsql";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transaction } from "../../../local/store/transaction";

describe("local/store/transaction", () => {
  let folder: string;
  let connection: Libsql.Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentserver-transaction-"));
    connection = new Libsql(join(folder, "test.db"));
    connection.exec("CREATE TABLE texts (text TEXT)");
  });
  afterEach(async () => {
    connection.close();
    await rm(folder, { recursive: true });
  });

  const add = (text: string) => connection.prepare("INSERT INTO texts VALUES (?)").run(text);
  const count = () => connection.prepare("SELECT text FROM texts").all().length;

  it("says that the disk is full, keeps nothing, and goes on when there is room", () => {
    connection.pragma("max_page_count = 8");
    const fill = () =>
      transaction(connection, () => {
        add("small");
        add("x".repeat(100_000));
      });
    expect(fill).to.throw("database or disk is full");
    expect(count()).to.equal(0);
    connection.pragma("max_page_count = 1000");
    fill();
    expect(count()).to.equal(2);
  });

  it("takes back what was written before the work failed", () => {
    const work = () => {
      add("half");
      throw new Error("no");
    };
    expect(() => transaction(connection, work)).to.throw("no");
    expect(count()).to.equal(0);
  });
});
