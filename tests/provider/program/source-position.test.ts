import { basename } from "node:path";
import { runtime } from "@pulumi/pulumi";
import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { findSourcePosition } from "../../../provider/program/source-position";
import { REPOSITORY } from "../../../scripts/project";
import { untyped } from "../../support/values";

const ARGS = { source: "internal_container" } as const;

describe("the source position of a resource", () => {
  const { stackTraceLimit } = Error;
  const formatter = (): unknown => Reflect.get(Error, "prepareStackTrace");
  const prepareStackTrace = formatter();
  const areSourcesMapped = process.sourceMapsEnabled;
  beforeEach(() =>
    runtime.setMocks({
      newResource: ({ inputs }) => ({ id: "1", state: inputs }),
      call: () => ({}),
    }),
  );
  afterEach(() => {
    expect(Error.stackTraceLimit).to.equal(stackTraceLimit).and.to.be.greaterThan(0);
    Object.assign(Error, { prepareStackTrace });
    process.setSourceMapsEnabled(areSourcesMapped);
  });
  after(() => runtime.resetOptions("project", "stack", -1, "", "", false, ""));

  it("takes one stack, and none for every promise of the resource", () => {
    let stacks = 0;
    const prepare: typeof Error.prepareStackTrace = (error, places) => {
      if (places.length > 0) stacks += 1;
      return String(error);
    };
    Error.prepareStackTrace = prepare;
    new Deployment("support", ARGS);
    expect(stacks).to.equal(1);
    expect(formatter()).to.equal(prepare);
  });

  it("is the program's own in an error too", () => {
    let stack: string[] = [];
    try {
      new Deployment("", ARGS);
    } catch (error) {
      stack = String(error instanceof Error && error.stack).split("\n");
    }
    expect(stack[0]).to.contain("Missing resource name argument");
    expect(stack[1]).to.contain(basename(__filename, ".js"));
  });

  const [INNER, OUTER] = ["program/resource.js", "deployment/resource.js"].map(
    (name) => `${REPOSITORY}/dist/provider/${name}`,
  );
  const RUNNER = ["node:internal/x", undefined, "/n/node_modules/@pulumi/pulumi/cmd/run/run.js"];
  const rows: [title: string, frames: readonly unknown[], shown: readonly unknown[]][] = [
    ["one of ours, and the program's", ["sdk", INNER, OUTER, "a"], ["sdk", INNER, "a"]],
    ["none of what runs the program", [INNER, OUTER, "a", ...RUNNER, "b"], [INNER, "a", "b"]],
    ["all where none is ours", ["sdk", "a"], ["sdk", "a"]],
    ["all where a bundle has the program in ours", ["sdk", INNER, OUTER], ["sdk", INNER, OUTER]],
  ];
  for (const [title, files, shown] of rows)
    it(`is found among the frames of a stack: ${title}`, () => {
      process.setSourceMapsEnabled(false);
      const frame = (file: unknown) => ({ getFileName: () => file, toString: () => String(file) });
      const restore = findSourcePosition();
      expect(Error.stackTraceLimit).to.equal(0);
      const text: unknown = Error.prepareStackTrace?.(new Error("no"), untyped(files.map(frame)));
      restore();
      expect(text).to.equal(["Error: no", ...shown.map(String)].join("\n    at "));
      expect(formatter()).to.equal(prepareStackTrace);
    });
});
