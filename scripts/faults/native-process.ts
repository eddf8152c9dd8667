import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { z } from "zod";
import { structOf } from "../../provider/doors/native/wire";
import { REPOSITORY } from "../project";
import { startEngineLog } from "./engine-log";
import { nativeProvider } from "./native-provider";
import type { MortalProcess, Surroundings } from "./trial";
import { answerOf } from "./wire";

const PROVIDER = "urn:pulumi:test::shop::pulumi:providers:agentserver::default";
const Sleep = z.object({ id: z.number(), milliseconds: z.number() });

/** Starts the native provider as Pulumi does, with the world's time. It is killed by the signal, or loses its engine. */
export async function startNativeProcess(surroundings: Surroundings): Promise<MortalProcess> {
  const lost = { engine: false, provider: false };
  const log = await startEngineLog(surroundings.say);
  const stateFile = join(surroundings.world.folder, `state-${(count += 1)}.json`);
  const child = start(surroundings, log.address, stateFile);
  const ended = once(child, "exit");
  if (child.stdout === null) throw new Error("the native provider has no output");
  const [port] = await once(createInterface(child.stdout), "line");
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  await configure(client, surroundings);
  const leave = (): void => void child.stdin?.end();
  return {
    providerOf: ({ urn }) => {
      // Nothing changes the state while a resource is asked for.
      const state = surroundings.exportState();
      if (state === undefined) rmSync(stateFile, { force: true });
      else writeFileSync(stateFile, state);
      return nativeProvider(client, urn, surroundings.onLeak);
    },
    isLost: () => lost.engine || lost.provider,
    hasLostEngine: () => lost.engine,
    lose(victim) {
      lost.engine ||= victim !== "provider";
      lost.provider ||= victim !== "engine";
      // Without its engine, which holds the other end of its input, it ends by itself.
      if (lost.provider) child.kill("SIGKILL");
      else leave();
    },
    async end() {
      if (!lost.engine && !lost.provider)
        await answerOf<Empty>((done) => client.cancel(new Empty(), done));
      leave();
      client.close();
      await ended;
      log.close();
      rmSync(stateFile, { force: true });
    },
  };
}

/** Number of starts: each has a state of its own. */
let count = 0;

function start(
  { world, random, skewMs }: Surroundings,
  engineAddress: string,
  stateFile: string,
): ChildProcess {
  const clock = join(REPOSITORY, "dist/scripts/faults/given-clock.js");
  const main = join(REPOSITORY, "dist/provider/doors/native/main.js");
  const seed = random.below(2 ** 31);
  const child = spawn(process.execPath, ["--require", clock, main, engineAddress], {
    stdio: ["pipe", "pipe", "inherit", "ipc"],
    env: {
      ...process.env,
      FAULTS_CLOCK: JSON.stringify({ timeFile: world.timeFile, seed, skewMs }),
      FAULTS_STATE: stateFile,
      // The command line that the provider finds there prints that state.
      PATH: `${world.folder}${delimiter}${process.env["PATH"]}`,
    },
  });
  child.on("message", (message) => {
    const { id, milliseconds } = Sleep.parse(message);
    void world.advance(milliseconds).then(() => {
      if (child.connected) child.send({ id }, () => undefined);
    });
  });
  return child;
}

async function configure(
  client: ResourceProviderClient,
  { world, workspace }: Surroundings,
): Promise<void> {
  const request = new messages.ConfigureRequest();
  request.setUrn(PROVIDER);
  const { workspaceId, apiKey } = workspace;
  request.setArgs(structOf({ baseUrl: world.controlPlane.url, apiKey, workspaceId }));
  await answerOf<messages.ConfigureResponse>((done) => client.configure(request, done));
}
