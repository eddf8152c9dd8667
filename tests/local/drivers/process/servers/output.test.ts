import { expect } from "chai";
import { readOutput } from "../../../../../local/drivers/process/servers/output";

describe("what an agent server prints", () => {
  const record = (level: string, more = {}) => JSON.stringify({ level, event: "one", ...more });

  for (const [line, text, level] of [
    [record("info"), "one", "INFO"],
    [record("warn"), "one", "WARNING"],
    [record("WARNING"), "one", "WARNING"],
    [record("error"), "one", "ERROR"],
    [record("critical"), "one", "ERROR"],
    [record("error", { exception: "Trace\nError: x", other: {} }), "one\nTrace\nError: x", "ERROR"],
    [record("error", { event: "\n  one\n two\n" }), "one\n two", "ERROR"],
    ["plain", "plain", undefined],
    ['{"level":"error"}', '{"level":"error"}', undefined],
    ['{"level":"error","event":"cut', '{"level":"error","event":"cut', undefined],
    ["{", "{", undefined],
  ] as const)
    it(`is ${level ?? "without level"}: ${line}`, () => {
      expect(readOutput(line)).to.deep.equal({ text, ...(level && { level }) });
    });
});
