import { expect } from "chai";
import { unknownKeys } from "../../shared/unknown-keys";

describe("keys that are not known", () => {
  const known = ["until", "timeoutSeconds"];

  it("are named, each with the nearest known one", () => {
    expect(unknownKeys(["untill", "until", "timeoutSecond"], known)).to.deep.equal([
      "unknown argument 'untill'; did you mean until?",
      "unknown argument 'timeoutSecond'; did you mean timeoutSeconds?",
    ]);
    const nearest = "did you mean timeoutSeconds?";
    expect(unknownKeys(["timeoutSecond"], ["timeoutSecondsOf", "timeoutSeconds"])[0]).to.contain(
      nearest,
    );
  });

  it("are parts of the only one that is meant, in any case", () => {
    const settings = ["baseUrl", "apiKey", "bearerToken", "workspaceId", "requestTimeoutSeconds"];
    const others = [...settings, "waitTimeoutSeconds"];
    for (const [key, meant] of [
      ["url", "baseUrl"],
      ["key", "apiKey"],
      ["token", "bearerToken"],
      ["workspace", "workspaceId"],
      ["AGENTSERVER_BASEURL", "baseUrl"],
    ] as const)
      expect(unknownKeys([key], others)[0], key).to.match(new RegExp(`did you mean ${meant}\\?$`));
    expect(unknownKeys(["timeout"], others)).to.deep.equal(["unknown argument 'timeout'"]);
  });

  it("have no suggestion where no known one is near, or much of a short key would have to change", () => {
    const short = ["env", "nfs", "csi", "name", "cpu"];
    for (const key of ["patience", "foo", "sh", "x", "id", "fo"])
      expect(unknownKeys([key], short), key).to.deep.equal([`unknown argument '${key}'`]);
    expect(unknownKeys(["evn", "nam", "cpus"], short)).to.deep.equal([
      "unknown argument 'evn'; did you mean env?",
      "unknown argument 'nam'; did you mean name?",
      "unknown argument 'cpus'; did you mean cpu?",
    ]);
  });
});
