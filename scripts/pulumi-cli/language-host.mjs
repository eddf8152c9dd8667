// Not Pulumi's language host: a stand-in for `pulumi-language-nodejs`, only for a CLI that scripts/setup.mjs had to
// build from its Go module, which does not include the host. Users install the official CLI, which brings the real one.
// It serves the calls of LanguageRuntime (pulumi/pulumi, proto/pulumi/language.proto) that preview, up, refresh and
// destroy make, and runs the program with the project's own `@pulumi/pulumi/cmd/run`; and those that `pulumi package` makes
// for a folder with a PulumiPlugin.yaml. It needs nothing but Node, so that it also answers where the project's packages
// are not installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http2";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// --- protobuf: a message is read as {field number: [values]}, and written as fields put together

function decode(bytes = Buffer.alloc(0)) {
  const message = {};
  let at = 0;
  const number = () => {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  };
  const take = (size) => bytes.subarray(at, (at += size));
  const readers = { 0: number, 1: () => take(8), 2: () => take(number()), 5: () => take(4) };
  while (at < bytes.length) {
    const tag = number();
    (message[tag >>> 3] ??= []).push(readers[tag & 7]());
  }
  return message;
}

const text = (values) => values?.at(-1).toString() ?? "";
const texts = (values = []) => values.map(String);
const map = (entries = [], read = String) =>
  Object.fromEntries(
    entries.map(decode).map((entry) => [text(entry[1]), read(entry[2]?.[0] ?? "")]),
  );

/** A google.protobuf.Value: the strings and booleans that `runtime.options` of Pulumi.yaml can hold. */
const option = (bytes) =>
  ((value) => (value[4] ? value[4][0] === 1 : text(value[3])))(decode(bytes));

function varint(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}

const textField = (number, content) =>
  content
    ? Buffer.concat([
        varint((number << 3) | 2),
        varint(Buffer.byteLength(content)),
        Buffer.from(content),
      ])
    : Buffer.alloc(0);
const trueField = (number) => Buffer.from([number << 3, 1]);

// --- the calls: each gets the decoded request and its stream, and returns the response (nothing is the empty one), or SENT
// where it has sent its responses itself

const SENT = Symbol("sent");

const [lastArgument = ""] = process.argv.slice(2).slice(-1); // [flags] <engine address>
let engine = lastArgument;
const tracing = process.argv[process.argv.indexOf("--tracing") + 1 || Infinity];

const calls = {
  Handshake: (request) => void (engine = text(request[1])), // only when the CLI attaches to a running host
  GetPluginInfo: () => textField(1, sdkVersion()),
  GetRequiredPackages: () => {}, // provider plugins are fetched when a resource asks for them
  About: () => Buffer.concat([textField(1, process.execPath), textField(2, process.version)]),
  Run: run,
  InstallDependencies: installDependencies,
  RunPlugin: runPlugin,
  Cancel: () => programs.forEach(interrupt),
};

function sdkVersion(folder = process.cwd()) {
  const file = join(folder, "node_modules/@pulumi/pulumi/package.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).version;
  return folder === dirname(folder) ? "" : sdkVersion(dirname(folder));
}

async function run(request, call) {
  const info = decode(request[14][0]);
  const program = { root: text(info[1]), folder: text(info[2]), entryPoint: text(info[3]) };
  const { typescript, tsconfig, nodeargs = "" } = map(decode(info[4]?.[0])[1], option);
  let runner;
  try {
    runner = sdkCommand(program.folder, "run");
  } catch (error) {
    return textField(1, error.message);
  }
  const flags = {
    monitor: text(request[9]),
    engine,
    organization: text(request[12]),
    project: text(request[1]),
    "root-directory": program.root,
    stack: text(request[2]),
    pwd: program.folder,
    parallel: `${request[8]?.[0] ?? 0}`,
    tracing,
  };
  const args = [
    ...(nodeargs.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((arg) =>
      arg.replace(/^(["'])(.*)\1$/, "$2"),
    ),
    runner,
    ...Object.entries(flags).flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
    ...(request[7] ? ["--dry-run"] : []),
    program.entryPoint,
    ...texts(request[5]),
  ];
  const env = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(map(request[6])),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(texts(request[11])),
    ...(typescript !== false && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
    ...(tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
  };
  const exit = await runToItsEnd(args, env, call);
  if (exit === 32) return trueField(2); // the SDK has shown the error already
  return textField(1, exit === 0 ? "" : `the program ended with exit code ${exit}`);
}

/** The path of a command of Pulumi's SDK, as it is installed for the folder. */
function sdkCommand(folder, name) {
  try {
    return createRequire(join(folder, "_")).resolve(`@pulumi/pulumi/cmd/${name}`);
  } catch {
    throw new Error(`@pulumi/pulumi cannot be found from ${folder}: run "npm install" first`);
  }
}

// --- a plugin that is a folder: the CLI reads the output of its process from the responses

async function installDependencies(request, call, send) {
  const folder = text(decode(request[3][0])[2]);
  const npm = spawn("npm", ["install", "--loglevel=error"], { cwd: folder, stdio: PIPED });
  const exit = await forward(npm, call, send);
  if (exit !== 0) throw new Error(`npm install in ${folder} ended with exit code ${exit}`);
  return SENT;
}

async function runPlugin(request, call, send) {
  const folder = text(decode(request[5][0])[2]);
  const env = Object.fromEntries(texts(request[4]).map((entry) => entry.split(/=(.*)/s)));
  const args = [sdkCommand(folder, "run-plugin"), folder, ...texts(request[3])];
  const plugin = spawn(process.execPath, args, { cwd: text(request[1]), env, stdio: PIPED });
  const exit = await forward(plugin, call, send);
  send(Buffer.from([3 << 3, Number.isInteger(exit) ? exit : 1]));
  return SENT;
}

const PIPED = ["ignore", "pipe", "pipe"];

/** Sends what a process prints until it ends; resolves with its exit code. */
function forward(program, call, send) {
  program.stdout.on("data", (chunk) => send(textField(1, chunk)));
  program.stderr.on("data", (chunk) => send(textField(2, chunk)));
  return end(program, call);
}

// --- the program's process: the CLI shows its output; a cancelled call interrupts it and, after 5 s, kills it

const programs = new Set();

function runToItsEnd(args, env, call) {
  const stdio = ["ignore", "inherit", "inherit"];
  return end(spawn(process.execPath, args, { env, stdio }), call);
}

function end(program, call) {
  return new Promise((resolve, reject) => {
    programs.add(program);
    call.once("aborted", () => interrupt(program));
    program.once("error", reject);
    program.once("close", (code, signal) => {
      programs.delete(program);
      resolve(signal ?? code);
    });
  });
}

function interrupt(program) {
  program.kill("SIGINT");
  setTimeout(() => program.kill("SIGKILL"), 5000).unref();
}

// --- gRPC: a request body and each response message are [0, 4 bytes of length, protobuf], the status comes in trailers

const UNKNOWN = 2;
const UNIMPLEMENTED = 12;

async function answer(stream, name, body) {
  let trailers = { "grpc-status": 0 };
  stream.respond({ "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  const send = (message) => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    if (!stream.destroyed) stream.write(Buffer.concat([head, message]));
  };
  try {
    const response = await method(name)(decode(body.subarray(5)), stream, send);
    if (response !== SENT) send(response ?? Buffer.alloc(0));
  } catch (error) {
    trailers = {
      "grpc-status": error.status ?? UNKNOWN,
      "grpc-message": encodeURIComponent(error.message),
    };
  }
  if (!stream.destroyed) stream.end();
}

function method(name) {
  if (Object.hasOwn(calls, name)) return calls[name];
  const message = `the stand-in language host cannot do ${name}: install Pulumi from https://www.pulumi.com/docs/install/`;
  throw Object.assign(new Error(message), { status: UNIMPLEMENTED });
}

const server = createServer();
server.on("stream", (stream, headers) => {
  const chunks = [];
  stream.on("error", () => {}); // the CLI went away in the middle
  stream.on("data", (chunk) => chunks.push(chunk));
  stream.on("end", () => answer(stream, headers[":path"].split("/").at(-1), Buffer.concat(chunks)));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port)); // the CLI reads the first line of stdout

// The CLI holds our stdin: it ends when the CLI is gone, however it died. A host started by hand has no engine yet.
if (engine) {
  process.stdin.resume().once("end", () => {
    programs.forEach((program) => program.kill());
    process.exit();
  });
}
