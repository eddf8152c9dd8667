import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { isOpen, runAll, wavesOf } from "./run";
import { Stacks } from "./stacks";
import { lineOf, tableOf } from "./table";
import { readTenants } from "./tenants";

const USAGE = `usage: node bin/fleet.js up [--always] [options]
       node bin/fleet.js preview [options]
       node bin/fleet.js destroy TENANT… [--yes] [options]
options: --tenants FILE (tenants.json), --parallel NUMBER (4), --requests NUMBER (64, of all processes together),
         --attempts NUMBER (2), --max-failures NUMBER (no limit), --json`;

/** What a command needs to know of its options. */
interface Options {
  readonly tenants: string;
  readonly parallel: number;
  readonly requests: number;
  readonly attempts: number;
  readonly maxFailures: number;
  readonly always: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Brings every tenant of the list to its entry, in waves, and names the stacks that the list lacks. */
async function up(options: Options): Promise<boolean> {
  const tenants = new Map(readTenants(options.tenants).map((tenant) => [tenant.name, tenant]));
  const stacks = await Stacks.open(process.cwd(), options);
  const work = async (name: string) => {
    const tenant = tenants.get(name);
    return tenant && stacks.up(tenant, options);
  };
  const succeeded = await run(wavesOf([...tenants.keys()]), work, options);
  const others = (await stacks.names()).filter((name) => !tenants.has(name));
  if (others.length > 0) note(`not in ${options.tenants}, left alone: ${others.join(", ")}`);
  return succeeded;
}

/** Shows what `up` would change, and changes nothing. */
async function preview(options: Options): Promise<boolean> {
  const tenants = new Map(readTenants(options.tenants).map((tenant) => [tenant.name, tenant]));
  const stacks = await Stacks.open(process.cwd(), options);
  const work = async (name: string) => {
    const tenant = tenants.get(name);
    return tenant && stacks.preview(tenant);
  };
  return run([[...tenants.keys()]], work, options);
}

/** Destroys tenants that were removed from the list. Refuses all while the list has one of them. */
async function destroy(names: readonly string[], options: Options): Promise<boolean> {
  const listed = new Set(readTenants(options.tenants).map(({ name }) => name));
  const kept = names.filter((name) => listed.has(name)).join(", ");
  if (kept) throw new Error(`destroy ${kept}: remove it from ${options.tenants} first`);
  const question = `Destroy ${names.join(", ")} with all threads and databases?`;
  if (!options.yes && !(await isConfirmed(question))) throw new Error("nothing was destroyed");
  const stacks = await Stacks.open(process.cwd(), options);
  return run([names], (name) => stacks.destroy(name), options);
}

async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error("destroy asks first: run it in a terminal, or add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return answer.trim() === "y";
}

/** Runs the work of each tenant and prints the results. Returns whether all succeeded. */
async function run(
  waves: readonly (readonly string[])[],
  work: (name: string) => Promise<string | undefined>,
  options: Options,
): Promise<boolean> {
  const stopping = new AbortController();
  // Ctrl-C reaches Pulumi's processes too: they complete what they are creating and write their states.
  const stop = () => {
    stopping.abort();
    note("starts no other tenant, and waits for those that it has started");
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const results = await runAll(waves, work, {
    ...options,
    signal: stopping.signal,
    report: (result, all) => note(lineOf(result, all)),
  });
  process.stdout.write(`${options.json ? JSON.stringify(results) : tableOf(results)}\n`);
  return !results.some(isOpen);
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The numbers among the options. Throws one error with all that are wrong. */
function numbersOf(
  values: Readonly<Record<"parallel" | "requests" | "attempts" | "max-failures", string>>,
) {
  const wrong = Object.entries(values).filter(([, value]) => !/^[1-9]\d*$/.test(value));
  const problems = wrong.map(([name, value]) => `--${name} ${value} is not a whole number from 1`);
  const { parallel, requests, attempts, "max-failures": maxFailures } = values;
  if (wrong.length === 0 && Number(requests) < Number(parallel))
    problems.push(
      `--parallel ${parallel} needs --requests ${parallel} or more: each process sends at least one`,
    );
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return {
    parallel: Number(parallel),
    requests: Number(requests),
    attempts: Number(attempts),
    maxFailures: Number(maxFailures),
  };
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tenants: { type: "string", default: "tenants.json" },
      parallel: { type: "string", default: "4" },
      requests: { type: "string", default: "64" },
      attempts: { type: "string", default: "2" },
      "max-failures": { type: "string", default: String(Number.MAX_SAFE_INTEGER) },
      always: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { tenants, always, yes, json, ...numbers } = values;
  const options = { tenants, always, yes, json, ...numbersOf(numbers) };
  const [command, ...names] = positionals;
  if (command === "up" && names.length === 0) return up(options);
  if (command === "preview" && names.length === 0) return preview(options);
  if (command === "destroy" && names.length > 0) return destroy(names, options);
  throw new Error(USAGE);
}

void main()
  .catch((error: unknown) => {
    note(error instanceof Error ? error.message : String(error));
    return false;
  })
  .then((succeeded) => {
    process.exitCode = succeeded ? 0 : 1;
  });
