import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { REPOSITORY } from "../../scripts/project";
import { describeLong } from "../support/tiers";

const PROGRAM = `
import { Deployment, type DeploymentArgs } from "pulumi-agentserver";
import { ControlPlane, type Deployment as Seen } from "pulumi-agentserver/sdk";
import { startLocalPlatform } from "pulumi-agentserver/local";
import * as native from "pulumi-agentserver/native";
export const args: DeploymentArgs = {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
};
export const made = [Deployment, native.Deployment, ControlPlane, startLocalPlatform];
export const nameOf = ({ name, source_config: config }: Seen): string => name + (config.repo_url ?? "");
export const fail = async (): Promise<void> => {
  const platform = await startLocalPlatform();
  platform.admin.addFault({ match: { path: "/v2/*" }, action: "delay", delayMs: 5 });
};
// @ts-expect-error there is no such action
export const wrong: Parameters<Awaited<ReturnType<typeof startLocalPlatform>>["admin"]["addFault"]>[0] = { match: {}, action: "explode" };
`;

/** Projects as they are: none skips the check of declarations. */
const CONFIGURATIONS: Readonly<Record<string, ts.CompilerOptions>> = {
  "module commonjs, moduleResolution node, without esModuleInterop": {
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    esModuleInterop: false,
    ignoreDeprecations: "6.0",
  },
  "module and moduleResolution nodenext": {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  },
};

describeLong("the declarations of the package, without skipLibCheck", () => {
  let dir = "";
  before(() => {
    dir = mkdtempSync(join(tmpdir(), "agentserver-types-"));
    mkdirSync(join(dir, "node_modules"));
    for (const name of ["@pulumi", "@types"])
      symlinkSync(join(REPOSITORY, "node_modules", name), join(dir, "node_modules", name));
    symlinkSync(REPOSITORY, join(dir, "node_modules/pulumi-agentserver"));
    writeFileSync(join(dir, "package.json"), `{ "name": "shop", "private": true }\n`);
    writeFileSync(join(dir, "index.ts"), PROGRAM);
  });
  after(() => rmSync(dir, { recursive: true }));

  for (const [what, options] of Object.entries(CONFIGURATIONS))
    it(`compile with ${what}, and reach no zod`, () => {
      const program = ts.createProgram([join(dir, "index.ts")], {
        ...options,
        target: ts.ScriptTarget.ES2023,
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: ["node"],
        typeRoots: [join(dir, "node_modules/@types")],
      });
      const said = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
        const text = ts.flattenDiagnosticMessageText(messageText, " ");
        return `${file?.fileName.replace(REPOSITORY, "") ?? ""}: ${text}`;
      });
      expect(said).to.deep.equal([]);
      const files = program.getSourceFiles().map(({ fileName }) => fileName);
      expect(files.filter((name) => name.includes("/node_modules/zod/"))).to.deep.equal([]);
    });
});
