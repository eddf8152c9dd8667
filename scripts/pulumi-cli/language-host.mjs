// Not Pulumi's language host: a stand-in for `pulumi-language-nodejs`, only for a CLI that scripts/setup.mjs had to
// build from its Go module, which does not include the host. Users install the official CLI, which brings the real one.
// It serves the calls of LanguageRuntime that preview, up, refresh and destroy make, and runs the program with the project's
// own `@pulumi/pulumi/cmd/run`; and those that `pulumi package` makes for a folder with a PulumiPlugin.yaml. The build bundles
// it into one file (scripts/setup/bundle.mjs), so that it also answers where the project's packages are not installed.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import service from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";

let engine = process.argv.slice(2).at(-1) ?? ""; // [flags] <engine address>
const tracing = process.argv[process.argv.indexOf("--tracing") + 1 || Infinity];

/** Calls whose responses have the output of a process. */
const streams = { installDependencies, runPlugin };
/** Those with one response: each gets the request and its call. */
const calls = {
  handshake: (request) => {
    engine = request.getEngineAddress(); // only when the CLI attaches to a running host
    return new messages.LanguageHandshakeResponse();
  },
  getPluginInfo: () => new plugin.PluginInfo().setVersion(sdkVersion()),
  // Provider plugins are fetched when a resource asks for them.
  getRequiredPackages: () => new messages.GetRequiredPackagesResponse(),
  about: () =>
    new messages.AboutResponse().setExecutable(process.execPath).setVersion(process.version),
  run,
  cancel: () => {
    programs.forEach(interrupt);
    return new empty.Empty();
  },
};

function sdkVersion() {
  try {
    return createRequire(join(process.cwd(), "_"))("@pulumi/pulumi/package.json").version;
  } catch {
    return "";
  }
}

async function run(request, call) {
  const info = request.getInfo();
  const folder = info.getProgramDirectory();
  const { typescript, tsconfig, nodeargs = "" } = info.getOptions()?.toJavaScript() ?? {};
  let runner;
  try {
    runner = sdkCommand(folder, "run");
  } catch (error) {
    return new messages.RunResponse().setError(error.message);
  }
  const flags = {
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    "root-directory": info.getRootDirectory(),
    stack: request.getStack(),
    pwd: folder,
    parallel: `${request.getParallel()}`,
    tracing,
  };
  const words = nodeargs.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const args = [
    ...words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2")),
    runner,
    ...Object.entries(flags).flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info.getEntryPoint(),
    ...request.getArgsList(),
  ];
  const env = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toObject())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    ...(typescript !== false && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
    ...(tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
  };
  const stdio = ["ignore", "inherit", "inherit"]; // the CLI shows it
  const exit = await end(spawn(process.execPath, args, { env, stdio }), call);
  if (exit === 32) return new messages.RunResponse().setBail(true); // the SDK has shown the error already
  const error = exit === 0 ? "" : `the program ended with exit code ${exit}`;
  return new messages.RunResponse().setError(error);
}

/** The path of a command of Pulumi's SDK, as it is installed for the folder. */
function sdkCommand(folder, name) {
  try {
    return createRequire(join(folder, "_")).resolve(`@pulumi/pulumi/cmd/${name}`);
  } catch {
    throw new Error(`@pulumi/pulumi cannot be found from ${folder}: run "npm install" first`);
  }
}

async function installDependencies(call) {
  const cwd = call.request.getInfo().getProgramDirectory();
  const npm = spawn("npm", ["install", "--loglevel=error"], { cwd, stdio: PIPED });
  const exit = await forward(npm, call, messages.InstallDependenciesResponse);
  if (exit !== 0) throw new Error(`npm install in ${cwd} ended with exit code ${exit}`);
}

async function runPlugin(call) {
  const folder = call.request.getInfo().getProgramDirectory();
  const env = Object.fromEntries(call.request.getEnvList().map((entry) => entry.split(/=(.*)/s)));
  const args = [sdkCommand(folder, "run-plugin"), folder, ...call.request.getArgsList()];
  const child = spawn(process.execPath, args, { cwd: call.request.getPwd(), env, stdio: PIPED });
  const exit = await forward(child, call, messages.RunPluginResponse);
  call.write(new messages.RunPluginResponse().setExitcode(Number.isInteger(exit) ? exit : 1));
}

const PIPED = ["ignore", "pipe", "pipe"];

/** Sends what a process prints until it ends; resolves with its exit code. */
function forward(program, call, Response) {
  program.stdout.on("data", (chunk) => call.write(new Response().setStdout(chunk)));
  program.stderr.on("data", (chunk) => call.write(new Response().setStderr(chunk)));
  return end(program, call);
}

const programs = new Set();

/** Resolves with the exit code of a program, or the signal that ended it. A cancelled call interrupts it. */
function end(program, call) {
  return new Promise((resolve, reject) => {
    programs.add(program);
    call.once("cancelled", () => interrupt(program));
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

const answer = (work) => (call, callback) =>
  Promise.resolve(call.request)
    .then((request) => work(request, call))
    .then((response) => callback(null, response), callback);

const stream = (work) => (call) =>
  work(call)
    .then(() => call.end())
    .catch((error) => call.emit("error", error));

const refuse = (name) => () => {
  const details = `the stand-in language host cannot do ${name}: install Pulumi from https://www.pulumi.com/docs/install/`;
  throw Object.assign(new Error(details), { code: status.UNIMPLEMENTED, details });
};

const methods = Object.keys(service.LanguageRuntimeService).map((name) => [
  name,
  streams[name] ? stream(streams[name]) : answer(calls[name] ?? refuse(name)),
]);
const server = new Server({ "grpc.max_receive_message_length": -1 });
server.addService(service.LanguageRuntimeService, Object.fromEntries(methods));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port); // the CLI reads the first line of stdout
});

// The CLI holds our stdin: it ends when the CLI is gone, however it died. A host started by hand has no engine yet.
if (engine) {
  process.stdin.resume().once("end", () => {
    programs.forEach((program) => program.kill());
    process.exit();
  });
}
