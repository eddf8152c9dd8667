import { expect } from "chai";
import { detectInstall } from "../../../../local/drivers/process/javascript/package-manager";

describe("local/drivers/process/package-manager the install of a folder", () => {
  const cases: [files: string[], command: string, lockFile: string | undefined][] = [
    [["package.json", "yarn.lock"], "yarn install", "yarn.lock"],
    [["package.json", "pnpm-lock.yaml"], "pnpm i --frozen-lockfile", "pnpm-lock.yaml"],
    [["package.json", "bun.lockb"], "bun i", "bun.lockb"],
    [["package.json"], "npm i", undefined],
    [["package-lock.json", "yarn.lock"], "yarn install", "yarn.lock"],
    [["bun.lockb", "package-lock.json"], "npm ci", "package-lock.json"],
  ];
  it("without a lock file is that of the package manager that its package names", () => {
    for (const name of ["pnpm", "yarn", "bun", "npm"]) {
      const command = name === "yarn" ? "yarn install" : `${name} i`;
      const found = detectInstall(["package.json"], `${name}@4.0.0`);
      expect(found).to.deep.equal({ command, lockFile: undefined });
    }
  });

  for (const [files, command, lockFile] of cases)
    it(`with ${files.join(" and ")} is ${command}`, () => {
      expect(detectInstall(files)).to.deep.equal({ command, lockFile });
    });
});
