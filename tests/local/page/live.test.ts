import { expect } from "chai";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { until } from "../children";
import { openPage } from "./open-page";

describe("the live views of the page", () => {
  let test: TestPlatform;
  before(async () => void (test = await startTestPlatform()));
  after(() => test.close());

  it("are a hundred at most, and there is room again when one is closed", async () => {
    const { origin, cookie } = await openPage(test);
    const closing = new AbortController();
    // `fetch` closes the connection of a response that nothing refers to.
    const kept: Response[] = [];
    const open = async (signal = closing.signal) => {
      const response = await fetch(`${origin}/live/requests`, { headers: { cookie }, signal });
      kept.push(response);
      return response.status;
    };
    expect(await Promise.all(Array.from({ length: 100 }, () => open()))).to.satisfy(
      (statuses: number[]) => statuses.every((status) => status === 200),
    );
    expect(await open(), `${kept.length} are open`).to.equal(503);
    closing.abort();
    const last = new AbortController();
    await until("room", async () => (await open(last.signal)) === 200);
    last.abort();
  });
});
