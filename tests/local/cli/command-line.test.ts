import { expect } from "chai";
import { CommandFailure, CommandLine } from "../../../local/cli/command-line";
import { addLocalCommand } from "../../../local/cli/commands/local";
import { addLogsCommand } from "../../../local/cli/commands/logs";
import { DRIVER_NAMES, DRIVERS } from "../../../local/drivers";

/** Runs a command line whose commands only note what they are asked for; its words are separated by spaces. */
async function run(line: string) {
  const result = { exitCode: -1, stdout: "", stderr: "", calls: new Array<unknown>() };
  const commandLine = new CommandLine({
    out: (text) => (result.stdout += text),
    err: (text) => (result.stderr += text),
  });
  addLocalCommand(commandLine, async (options, json) => void result.calls.push({ options, json }));
  addLogsCommand(commandLine, async (options) => void result.calls.push(options));
  result.exitCode = await commandLine.run(line.split(" ").filter((word) => word !== ""));
  return result;
}

describe("local/cli/command-line", () => {
  it("reads every option of local", async () => {
    const { calls, exitCode } = await run(
      "local --port 0 --data-dir D --driver simulated --stage-seconds 0.5 --dialect langsmith " +
        "--hosting self-hosted --max-servers 3 --listen 0.0.0.0 --agent-auth --json " +
        "--allow-origin http://localhost:3000 --allow-origin https://chat.example.com",
    );
    expect(exitCode).to.equal(0);
    expect(calls).to.deep.equal([
      {
        json: true,
        options: {
          port: 0,
          dataDir: "D",
          driver: "simulated",
          stageSeconds: 0.5,
          dialect: "langsmith",
          hosting: "self-hosted",
          maxServers: 3,
          listen: "0.0.0.0",
          agentAuth: true,
          allowOrigins: ["http://localhost:3000", "https://chat.example.com"],
        },
      },
    ]);
  });

  it("leaves the defaults to the platform", async () => {
    const options = { allowOrigins: undefined };
    expect((await run("local")).calls).to.deep.equal([{ json: false, options }]);
  });

  it("reads every option of logs", async () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const { calls } = await run(`logs support --data-dir D --revision ${id} --type build`);
    expect(calls).to.deep.equal([
      { deployment: "support", dataDir: "D", revisionId: id, type: "build" },
    ]);
    expect((await run("logs support")).calls).to.deep.equal([
      { deployment: "support", revisionId: undefined },
    ]);
  });

  describe("--help", () => {
    it("lists the commands", async () => {
      const { stdout, stderr, exitCode } = await run("--help");
      expect([stderr, exitCode]).to.deep.equal(["", 0]);
      expect(stdout)
        .to.match(/^ {2}local \[options\] /m)
        .and.match(/^ {2}logs \[options\] <dep/m);
    });

    const OPTIONS = {
      local:
        "port data-dir driver stage-seconds dialect hosting max-servers listen agent-auth allow-origin json",
      logs: "data-dir revision type",
    };
    for (const [command, names] of Object.entries(OPTIONS))
      it(`explains every option of ${command}`, async () => {
        const { stdout, exitCode, calls } = await run(`${command} --help`);
        expect([exitCode, calls]).to.deep.equal([0, []]);
        const explained = [...stdout.matchAll(/^ {2}--(\S+)( <\w+>)? +\S/gm)];
        expect(explained.map(([, name]) => name)).to.deep.equal(names.split(" "));
      });

    it("says what each driver does", async () => {
      const help = (await run("local --help")).stdout.replace(/\s+/g, " ");
      for (const { name, description } of DRIVERS)
        expect(help).to.contain(`${name} ${description}`);
    });
  });

  it("prints the version, with and without a command", async () => {
    for (const command of ["", "local ", "logs "]) {
      const { stdout, exitCode } = await run(`${command}--version`);
      expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
      expect(exitCode).to.equal(0);
    }
  });

  describe("refuses, with exit code 2,", () => {
    async function problems(line: string): Promise<string[]> {
      const { exitCode, stderr, stdout, calls } = await run(line);
      expect([exitCode, stdout, calls]).to.deep.equal([2, "", []]);
      return stderr.trimEnd().split("\n");
    }
    const PORT = "error: --port must be a port, 0 to 65535, not";
    const SECONDS = "error: --stage-seconds must be a number of seconds, 0 or more, not";
    const COUNT = "error: --max-servers must be a whole number from 1, not";
    const ORIGIN = "error: --allow-origin must be an origin, such as http://localhost:3000, not";
    const WRONG: readonly (readonly [line: string, ...problems: string[]])[] = [
      ["local --port 65536", `${PORT} '65536'`],
      ["local --port -1", `${PORT} '-1'`],
      ["local --port 8x", `${PORT} '8x'`],
      ["local --port=", `${PORT} ''`],
      ["local --port", "error: option '--port <port>' argument missing"],
      ["local --port 1 --port 2", "error: --port is set twice"],
      ["local --data-dir", "error: option '--data-dir <folder>' argument missing"],
      ["local --data-dir=", "error: --data-dir must be a folder, not ''"],
      ["local --stage-seconds -1", `${SECONDS} '-1'`],
      ["local --stage-seconds soon", `${SECONDS} 'soon'`],
      ["local --driver other", `error: --driver must be ${DRIVER_NAMES.join(" or ")}, not 'other'`],
      ["local --dialect other", "error: --dialect must be agentserver or langsmith, not 'other'"],
      ["local --hosting mine", "error: --hosting must be cloud or self-hosted, not 'mine'"],
      ["local --max-servers 0", `${COUNT} '0'`],
      ["local --max-servers 1.5", `${COUNT} '1.5'`],
      ["local --json=yes", "error: unknown option '--json=yes'"],
      ["local --allow-origin *", `${ORIGIN} '*'`],
      ["local --allow-origin http://a/b", `${ORIGIN} 'http://a/b'`],
      ["local --allow-origin", "error: option '--allow-origin <origin>' argument missing"],
      ["local --prot 1", "error: unknown option '--prot'", "(Did you mean --port?)"],
      ["local -x", "error: unknown option '-x'"],
      ["local remote", "error: unexpected argument 'remote'"],
      ["logs", "error: missing required argument 'deployment'"],
      ["logs support more", "error: unexpected argument 'more'"],
      ["logs support --port 1", "error: unknown option '--port'"],
      ["logs support --type server", "error: --type must be build or deploy, not 'server'"],
      ["logs support --revision newest", "error: --revision must be a UUID, not 'newest'"],
      ["logs support --data-dir=", "error: --data-dir must be a folder, not ''"],
    ];
    for (const [line, ...expected] of WRONG)
      it(line, async () => {
        const help = `see \`pulumi-agentserver ${line.split(" ")[0]} --help\``;
        expect(await problems(line)).to.deep.equal([...expected, help]);
      });

    it("a command that it does not know, and suggests the nearest", async () => {
      expect(await problems("lcoal")).to.deep.equal([
        "error: unknown command 'lcoal'",
        "(Did you mean local?)",
        "see `pulumi-agentserver --help`",
      ]);
    });

    it("a line without a command, and prints the help", async () => {
      expect((await problems(""))[0]).to.equal("Usage: pulumi-agentserver [options] [command]");
    });

    it("every wrong value and argument at once", async () => {
      const line = "local more again --port x --driver y --hosting z --max-servers 0";
      expect(await problems(line)).to.have.lengthOf(7);
    });

    it("every wrong value together with an unknown option", async () => {
      const line = "local --port x --driver y --hosting z --nonsense --max-servers 0";
      expect(await problems(line)).to.have.lengthOf(6);
    });

    it("an argument with control characters, which are escaped", async () => {
      expect((await problems("local \x1b[2J"))[0]).to.equal(
        String.raw`error: unexpected argument '\x1b[2J'`,
      );
    });
  });

  it("reports why a command failed, with exit code 1, and throws what is not a failure", async () => {
    const stderr: string[] = [];
    const fail = async (error: Error) => {
      const line = new CommandLine({ out: () => {}, err: (text) => stderr.push(text) });
      addLocalCommand(line, () => Promise.reject(error));
      return line.run(["local"]);
    };
    expect(await fail(new CommandFailure("port 8123 is taken"))).to.equal(1);
    expect(stderr).to.deep.equal(["error: port 8123 is taken\n"]);
    const bug = new TypeError("a bug");
    expect(await fail(bug).catch((error: unknown) => error)).to.equal(bug);
  });
});
