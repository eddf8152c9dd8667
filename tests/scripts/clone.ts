import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The exit of a command, and all of its output. */
interface Ending {
  code: number;
  output: string;
}

/**
 * A small repository with this one's scripts, alone on a made-up machine: an own PATH with nothing but Node on it, an own
 * Pulumi home and temporary folder, and an installer that can't be reached.
 */
export class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), "agentserver-clone-"));
  readonly root = join(this.folder, "clone");
  readonly tools = join(this.folder, "tools");
  readonly pulumiHome = join(this.folder, "home");
  readonly cli = join(this.pulumiHome, "versions/3.274.1/bin/pulumi");

  constructor() {
    cpSync("scripts", join(this.root, "scripts"), { recursive: true });
    this.writeJson("package.json", { name: "clone", engines: { node: ">=22.12" } });
    this.writeJson("package-lock.json", { packages: { "": {} } });
    this.writeJson("tsconfig.json", {
      compilerOptions: {
        rootDir: ".",
        outDir: "dist",
        lib: ["es2023"],
        types: [],
        module: "node20",
      },
      include: ["cli", "local", "provider"],
    });
    this.write("cli/main.ts", "export const port = 8123;\n");
    this.write("provider/adapters/native/main.ts", "export const version = 1;\n");
    this.writeJson("provider/adapters/native/schema.json", { name: "clone" });
    this.write("local/page/assets/page.css", "body {}\n");
    this.write("local/drivers/process/python/plan.py", "print({})\n");
    this.write("node_modules/htmx.org/dist/htmx.min.js", "var htmx\n");
    this.write("node_modules/htmx.org/dist/ext/hx-sse.min.js", "var sse\n");
    this.write("LICENSE", "Free for all.\n");
    this.writeJson("node_modules/.package-lock.json", { packages: {} });
    for (const name of ["typescript", "esbuild"])
      symlinkSync(resolve("node_modules", name), join(this.root, "node_modules", name));
    this.write("node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs", "#!/bin/sh\n");
    this.installer(`throw new Error("no way to get.pulumi.com");`);
    mkdirSync(this.tools);
    symlinkSync(process.execPath, join(this.tools, "node"));
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  writeJson(path: string, value: unknown): void {
    this.write(path, JSON.stringify(value));
  }

  /** Puts an executable into a folder, by default one that is on PATH. It is a program for Node. */
  tool(name: string, program: string, folder = this.tools): string {
    const file = join(folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `#!${process.execPath}\n${program}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Lets Pulumi's own installer do this; the program is given `root`, the folder to install into. */
  installer(program: string): void {
    this.write(
      "node_modules/@pulumi/pulumi/automation/index.js",
      `exports.PulumiCommand = { install: async ({ root }) => { ${program} } };\n`,
    );
  }

  /** Runs the set-up to its end; `paths` are the folders on PATH before the machine's tools. */
  setUp(...paths: string[]): Promise<Ending> {
    return new Promise((done) => {
      const PATH = [...paths, this.tools].join(":");
      const env = { PATH, HOME: this.folder, PULUMI_HOME: this.pulumiHome, TMPDIR: this.folder };
      const options = { cwd: this.root, env };
      const child = execFile(
        process.execPath,
        ["scripts/setup.mjs"],
        options,
        (_, stdout, stderr) => done({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
