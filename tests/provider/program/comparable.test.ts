import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asset, type Input, Output, output } from "@pulumi/pulumi";
import { expect } from "chai";
import { comparable } from "../../../provider/program/comparable";
import { withoutSecretForm } from "../../../provider/arguments/secrets";
import { useFolder } from "../../local/children";
import { reasonOf } from "../../support/rejection";

const settled = (value: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    output({ value: comparable("redeployOn", value) }).apply((all) => resolve(all.value));
  });

describe("a value that is to be compared", () => {
  const INCOMPARABLE: Record<string, unknown> = {
    Date: new Date(0),
    Map: new Map(),
    Set: new Set(),
    RegExp: /a/,
    URL: new URL("https://example.com"),
    Function: () => 1,
    BigInt: 1n,
    Symbol: Symbol("a"),
    Error: new Error("a"),
    Uint8Array: new Uint8Array(1),
  };
  for (const [type, value] of Object.entries(INCOMPARABLE))
    it(`is refused by name where Pulumi does not send it: ${type}`, () => {
      const refusal = `a ${type} cannot be compared; set a string or a digest of it instead`;
      expect(() => comparable("redeployOn", value)).to.throw(`redeployOn: ${refusal}`);
      expect(() => comparable("redeployOn", { of: ["a", value] })).to.throw(
        `redeployOn.of[1]: ${refusal}`,
      );
    });

  it("is refused likewise where it comes later", async () => {
    const later = comparable("redeployOn", Promise.resolve({ at: new Date() }));
    expect(await reasonOf(Promise.resolve(later))).to.contain("redeployOn.at: a Date");
    const applied: Input<unknown> = comparable(
      "redeployOn",
      output(1).apply(() => new Date()),
    );
    expect(Output.isInstance(applied)).to.equal(true);
  });

  it("stays as it is where it is plain, an output too", async () => {
    const plain = [1, "a", true, null, { a: [{ b: "c" }], d: undefined }];
    expect(await settled(plain)).to.deep.equal(plain);
    expect(await settled({ at: output(1), b: Promise.resolve(2) })).to.deep.equal({ at: 1, b: 2 });
  });

  describe("that is an asset or an archive", () => {
    const folder = useFolder();
    const write = (name: string, content: string) => writeFile(join(folder(), name), content);
    const FORMS: Record<string, (content: string) => Promise<unknown>> = {
      StringAsset: async (content) => new asset.StringAsset(content),
      FileAsset: async (content) => {
        await write("file", content);
        return new asset.FileAsset(join(folder(), "file"));
      },
      "FileArchive of a file": async (content) => {
        await write("file.tar", content);
        return new asset.FileArchive(join(folder(), "file.tar"));
      },
      "FileArchive of a folder": async (content) => {
        await mkdir(join(folder(), "folder/inner"), { recursive: true });
        await write("folder/inner/file", content);
        return new asset.FileArchive(join(folder(), "folder"));
      },
      AssetArchive: async (content) =>
        new asset.AssetArchive({ file: new asset.StringAsset(content) }),
    };
    for (const [form, of] of Object.entries(FORMS))
      it(`counts by its content: ${form}`, async () => {
        const first = await settled({ a: await of("one") });
        const same = await settled({ a: await of("one") });
        const other = await settled({ a: await of("two") });
        expect(first).to.deep.equal(same).and.not.deep.equal(other);
        expect(JSON.stringify(first))
          .to.match(/[0-9a-f]{64}/)
          .and.not.contain("one");
      });

    it("counts by the names of a folder's files too", async () => {
      const archive = await FORMS["FileArchive of a folder"]?.("one");
      const before = await settled(archive);
      await rename(join(folder(), "folder/inner/file"), join(folder(), "folder/inner/other"));
      expect(await settled(archive)).not.to.equal(before);
    });

    it("is refused where its content is elsewhere", async () => {
      const remote = comparable("redeployOn", new asset.RemoteAsset("https://example.com/a"));
      expect(await reasonOf(Promise.resolve(remote))).to.equal(
        "redeployOn: a remote asset cannot be compared; set a string or a digest of it instead",
      );
    });

    // The engine sends the native provider a hash of the content.
    it("counts by the engine's hash where a program in another language sends it", () => {
      const SIGNATURE = "4dabf18193072939515e22adb298388d";
      const secret = "1b47061264138c4ac30d75fd1eb44270";
      const sent = { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", hash: "5f0c", path: "./a" };
      expect(withoutSecretForm({ redeployOn: [sent] })).to.deep.equal({ redeployOn: ["5f0c"] });
      expect(withoutSecretForm({ [SIGNATURE]: secret, value: sent })).to.equal("5f0c");
      expect(withoutSecretForm({ [SIGNATURE]: secret, value: null })).to.equal(null);
    });
  });
});
