import { expect } from "chai";
import { unknownKeys } from "../../../provider/inputs/unknown-keys";

describe("keys that are not known", () => {
  const known = ["until", "timeoutSeconds"];

  it("are named, each with the nearest known one", () =>
    expect(unknownKeys(["untill", "until", "timeoutSecond"], known)).to.deep.equal([
      "unknown argument 'untill'; did you mean until?",
      "unknown argument 'timeoutSecond'; did you mean timeoutSeconds?",
    ]));

  it("have no suggestion where no known one is near", () =>
    expect(unknownKeys(["patience"], known)).to.deep.equal(["unknown argument 'patience'"]));

  it("are named as what they are, by their whole path", () =>
    expect(
      unknownKeys(["baseURL"], ["baseUrl"], { noun: "setting", prefix: "agentserver:" }),
    ).to.deep.equal(["unknown setting 'agentserver:baseURL'; did you mean agentserver:baseUrl?"]));
});
