import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import type { Props } from "../../../../provider/arguments/props";
import { diffResponse } from "../../../../provider/adapters/native/diff-response";

const { UPDATE, UPDATE_REPLACE, ADD, ADD_REPLACE, DELETE_REPLACE } = PropertyDiff.Kind;

describe("the native provider's response to a diff", () => {
  const rows: [replaces: string, olds: Props, news: Props, kinds: [string, number, boolean][]][] = [
    ["a", { a: 1 }, { a: 2 }, [["a", UPDATE_REPLACE, true]]],
    ["a", { a: { b: 1 } }, { a: { b: 2 } }, [["a.b", UPDATE_REPLACE, true]]],
    ["a", { a: [1] }, { a: [1, 2] }, [["a[1]", ADD_REPLACE, true]]],
    ["a.b", { a: { b: 1 } }, { a: {} }, [["a.b", DELETE_REPLACE, true]]],
    // Paths that only begin alike.
    [
      "a",
      { a: 1, aa: 1, ab: {} },
      { a: 1, aa: 2, ab: { a: 1 } },
      [
        ["a", UPDATE_REPLACE, false],
        ["aa", UPDATE, true],
        ["ab.a", ADD, true],
      ],
    ],
    [
      "a.b",
      { a: { bc: 1 } },
      { a: { bc: 2 } },
      [
        ["a.b", UPDATE_REPLACE, false],
        ["a.bc", UPDATE, true],
      ],
    ],
    // The whole object replaces, by what is below it.
    ["a.b", { a: 1 }, { a: 2 }, [["a", UPDATE, true]]],
  ];
  for (const [replaces, olds, news, expected] of rows)
    it(`says of ${JSON.stringify(olds)} to ${JSON.stringify(news)} what ${replaces} replaces`, () => {
      const found = diffResponse({ changes: true, replaces: [replaces] }, olds, news);
      const kinds = found.getDetaileddiffMap();
      const seen = kinds
        .getEntryList()
        .map(([path]) => [path, kinds.get(path)?.getKind(), kinds.get(path)?.getInputdiff()]);
      expect(seen).to.have.deep.members(expected);
    });
});
