import { expect } from "chai";
import { urlOf } from "../../shared/agent-server-url";

describe("the URL of a deployment's agent server", () => {
  it("is its own, else the custom URL, else null, and an empty text is none", () => {
    const [own, custom] = ["https://own.example.com", "https://custom.example.com"];
    const shown = (url?: string | null, custom_url?: string | null) =>
      urlOf({ url, source_config: { custom_url } });
    for (const none of ["", null, undefined]) {
      expect([shown(own, none), shown(none, custom)]).to.deep.equal([own, custom]);
      expect([shown(none, none), shown(own, custom)]).to.deep.equal([null, own]);
    }
  });
});
