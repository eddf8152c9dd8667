import { parseArgs } from "node:util";
import { isOpen, runAll } from "./run";
import { Stacks } from "./stacks";
import { lineOf, tableOf } from "./table";
import { readTenants } from "./tenants";

const USAGE = `usage: node bin/fleet.js up [--always] [options]
       node bin/fleet.js destroy TENANT… [options]
options: --tenants FILE (tenants.json), --parallel NUMBER (4), --attempts NUMBER (2)`;

interface Options {
  readonly tenants: string;
  readonly parallel: string;
  readonly attempts: string;
  readonly always: boolean;
}

/** Brings every tenant of the list to its entry, and names the stacks that the list lacks. */
async function up(options: Options): Promise<boolean> {
  const tenants = new Map(readTenants(options.tenants).map((tenant) => [tenant.name, tenant]));
  const stacks = await Stacks.open(process.cwd());
  const work = async (name: string) => {
    const tenant = tenants.get(name);
    return tenant && stacks.up(tenant, options);
  };
  const succeeded = await run([...tenants.keys()], work, options);
  const others = (await stacks.names()).filter((name) => !tenants.has(name)).join(" ");
  if (others)
    say(`not in ${options.tenants}, left alone; to destroy: node bin/fleet.js destroy ${others}`);
  return succeeded;
}

/** Destroys tenants that were removed from the list. Refuses all while the list has one of them. */
async function destroy(names: readonly string[], options: Options): Promise<boolean> {
  const listed = new Set(readTenants(options.tenants).map(({ name }) => name));
  const kept = names.filter((name) => listed.has(name)).join(", ");
  if (kept) throw new Error(`destroy ${kept}: remove it from ${options.tenants} first`);
  const stacks = await Stacks.open(process.cwd());
  return run(names, (name) => stacks.destroy(name), options);
}

/** Runs the work of each tenant and prints the table. Returns whether all succeeded. */
async function run(
  names: readonly string[],
  work: (name: string) => Promise<string | undefined>,
  { parallel, attempts }: Options,
): Promise<boolean> {
  const stopping = new AbortController();
  // Ctrl-C reaches Pulumi's processes too: they complete what they are creating and write their states.
  const stop = () => {
    stopping.abort();
    process.stderr.write("starts no other tenant, and waits for those that it has started\n");
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const results = await runAll(names, work, {
    parallel: Number(parallel),
    attempts: Number(attempts),
    signal: stopping.signal,
    report: (result) => process.stderr.write(`${lineOf(result)}\n`),
  });
  say(tableOf(results));
  return !results.some(isOpen);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tenants: { type: "string", default: "tenants.json" },
      parallel: { type: "string", default: "4" },
      attempts: { type: "string", default: "2" },
      always: { type: "boolean", default: false },
    },
  });
  const [command, ...names] = positionals;
  if (command === "up" && names.length === 0) return up(values);
  if (command === "destroy" && names.length > 0) return destroy(names, values);
  throw new Error(USAGE);
}

void main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  })
  .then((succeeded) => {
    process.exitCode = succeeded ? 0 : 1;
  });
