import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import type { Props } from "../../../../provider/arguments/props";
import { diffResponse } from "../../../../provider/adapters/native/diff-response";

const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
const KINDS = Object.entries(PropertyDiff.Kind);

describe("the native provider's response to a diff", () => {
  const rows: [replaces: string, olds: Props, news: Props, kinds: string][] = [
    ["a", { a: 1 }, { a: 2 }, "UPDATE_REPLACE a"],
    ["a", { a: { b: 1 } }, { a: { b: 2 } }, "UPDATE_REPLACE a.b"],
    ["a", { a: [1] }, { a: [1, 2] }, "ADD_REPLACE a[1]"],
    ["a.b", { a: { b: 1 } }, { a: {} }, "DELETE_REPLACE a.b"],
    // Paths that only begin alike.
    ["a", { a: 1, aa: 1, b: 1 }, { a: 1, aa: 2 }, "UPDATE_REPLACE a (output), UPDATE aa, DELETE b"],
    ["a", { ab: {}, a: 1 }, { ab: { a: 1 }, a: 1 }, "UPDATE_REPLACE a (output), ADD ab.a"],
    ["a.b", { a: { bc: 1 } }, { a: { bc: 2 } }, "UPDATE_REPLACE a.b (output), UPDATE a.bc"],
    // The whole object replaces, by what is below it.
    ["a.b", { a: 1, c: 1 }, { a: 2 }, "UPDATE a, DELETE c"],
  ];
  for (const [replaces, olds, news, expected] of rows)
    it(`says of ${JSON.stringify(olds)} to ${JSON.stringify(news)} what ${replaces} replaces`, () => {
      const found = diffResponse({ changes: true, replaces: [replaces] }, olds, news).toObject();
      const seen = found.detaileddiffMap.map(([path, { kind, inputdiff }]) => {
        const [name] = KINDS.find(([, value]) => value === kind) ?? [];
        return `${name} ${path}${inputdiff ? "" : " (output)"}`;
      });
      expect(seen.join(", ")).to.equal(expected);
    });

  const B = { a: { b: [1] } };
  const C = { a: { b: [], c: 1 }, d: [1] };
  const NONE = { changes: DIFF_NONE, diffsList: [], replacesList: [], deletebeforereplace: false };
  const SOME = { ...NONE, changes: DIFF_SOME };
  const OF_BOTH = { ...SOME, diffsList: ["a", "d"] };
  const DELETED_FIRST = { ...NONE, deletebeforereplace: true };
  const changes: [title: string, ...Parameters<typeof diffResponse>, expected: object][] = [
    ["no change where nothing differs", {}, B, B, NONE],
    ["no change where the lifecycle has none", { changes: false }, C, B, NONE],
    ["a change of each argument once, where inputs differ", {}, C, B, OF_BOTH],
    ["a change where the lifecycle alone has one", { changes: true }, B, B, SOME],
    ["what replaces", { changes: false, replaces: ["a"] }, B, B, { ...SOME, replacesList: ["a"] }],
    ["which comes first", { deleteBeforeReplace: true }, B, B, DELETED_FIRST],
  ];
  for (const [title, found, olds, news, expected] of changes)
    it(`says ${title}`, () => {
      const response = diffResponse(found, olds, news).toObject();
      expect(response).to.deep.include({ ...expected, hasdetaileddiff: true });
    });
});
