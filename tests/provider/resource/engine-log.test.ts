import { expect } from "chai";
import { engineLog } from "../../../provider/resource/engine-log";

describe("the messages about a resource", () => {
  const sent: string[] = [];
  const log = engineLog("urn", { shown: new Set() }, () => (urn, severity, text, ephemeral) => {
    sent.push([urn, severity, text, ephemeral].join(" "));
  });

  it("show a service's text as it is: it colours and controls no terminal", () => {
    void log.progress("ODD<{%fg 1%}>\x1b[1m (3 s)");
    expect(sent.splice(0)).to.deep.equal([String.raw`urn INFO ODD<\{%fg 1%}>\x1b[1m (3 s) true`]);
  });

  it("are shown once where they last, and each time where the next one replaces them", () => {
    for (const _ of [1, 2]) {
      log.warn("heavy");
      void log.progress("BUILDING");
    }
    expect(sent).to.deep.equal([
      "urn WARNING heavy false",
      "urn INFO BUILDING true",
      "urn INFO BUILDING true",
    ]);
  });
});
