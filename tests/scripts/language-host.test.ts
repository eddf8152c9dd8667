import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { expect } from "chai";

/** The real CLI runs a program through the stand-in: PULUMI_DEBUG_LANGUAGES makes it use a host that is running already. */
describe("scripts/pulumi-cli/language-host.mjs", () => {
  let folder: string;
  let host: ChildProcess;
  let stack: Stack;
  const program = (text: string) => writeFileSync(join(folder, "index.ts"), text);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "agentserver-host-"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "Pulumi.yaml"), "name: greeter\nruntime: nodejs\n");
    host = spawn(process.execPath, ["scripts/pulumi-cli/language-host.mjs"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (!host.stdout) throw new Error("the host has no output");
    const [port] = await once(createInterface(host.stdout), "line");
    stack = await LocalWorkspace.createStack(
      { stackName: "dev", workDir: folder },
      {
        envVars: {
          PULUMI_BACKEND_URL: `file://${folder}`,
          PULUMI_CONFIG_PASSPHRASE: "correct horse",
          PULUMI_DEBUG_LANGUAGES: `nodejs:${port}`,
          PULUMI_HOME: join(folder, "home"),
          PULUMI_SKIP_UPDATE_CHECK: "true",
        },
      },
    );
  });
  after(() => {
    host.kill();
    rmSync(folder, { recursive: true });
  });

  it("runs a program in TypeScript with the stack's configuration", async () => {
    program(`
      import * as pulumi from "@pulumi/pulumi";
      const config = new pulumi.Config();
      const text: string = config.require("greeting");
      export const greeting = pulumi.interpolate\`\${text} from \${pulumi.getProject()}/\${pulumi.getStack()}\`;
      export const password = config.requireSecret("password");
    `);
    await stack.setAllConfig({
      greeting: { value: `"Grüße" & more` },
      password: { value: "swordfish", secret: true },
    });
    const { outputs } = await stack.up();
    expect(outputs).to.deep.equal({
      greeting: { value: `"Grüße" & more from greeter/dev`, secret: false },
      password: { value: "swordfish", secret: true },
    });
  });

  it("lets the command fail with the program's exit code", async () => {
    program(`process.exit(7);`);
    const output: string[] = [];
    const preview = stack.preview({ onOutput: (text) => output.push(text) });
    expect(await preview.then(() => "passed", String)).to.match(/^CommandError/);
    expect(output.join("")).to.include("the program ended with exit code 7");
  });
});
