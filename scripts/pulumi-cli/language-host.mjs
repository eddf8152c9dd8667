// Not Pulumi's language host: a stand-in for `pulumi-language-nodejs`, only for a CLI that scripts/setup.mjs had to
// build from its Go module, which does not include the host. Users install the official CLI, which brings the real one.
// It serves the calls of LanguageRuntime (pulumi/pulumi, proto/pulumi/language.proto) that preview, up, refresh and
// destroy make, and runs the program with the project's own `@pulumi/pulumi/cmd/run`. It needs nothing but Node, so
// that it also answers where the project's packages are not installed.
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

// --- the calls: each gets the decoded request and its stream, and returns the response (nothing is the empty one)

const [lastArgument = ""] = process.argv.slice(2).slice(-1); // [flags] <engine address>
let engine = lastArgument;
const tracing = process.argv[process.argv.indexOf("--tracing") + 1 || Infinity];

const calls = {
  Handshake: (request) => void (engine = text(request[1])), // only when the CLI attaches to a running host
  GetPluginInfo: () => textField(1, sdkVersion()),
  GetRequiredPackages: () => {}, // provider plugins are fetched when a resource asks for them
  About: () => Buffer.concat([textField(1, process.execPath), textField(2, process.version)]),
  Run: run,
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
    runner = createRequire(join(program.folder, "_")).resolve("@pulumi/pulumi/cmd/run");
  } catch {
    return textField(
      1,
      `@pulumi/pulumi cannot be found from ${program.folder}: run "npm install" first`,
    );
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

// --- the program's process: the CLI shows its output; a cancelled call interrupts it and, after 5 s, kills it

const programs = new Set();

function runToItsEnd(args, env, call) {
  return new Promise((resolve, reject) => {
    const program = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
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
  try {
    const response = (await method(name)(decode(body.subarray(5)), stream)) ?? Buffer.alloc(0);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(response.length, 1);
    if (!stream.destroyed) stream.write(Buffer.concat([head, response]));
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
