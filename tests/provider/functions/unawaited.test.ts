import { setImmediate } from "node:timers/promises";
import { inspect } from "node:util";
import { Server, status } from "@grpc/grpc-js";
import { runtime, secret } from "@pulumi/pulumi";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  type ResourceInvokeRequest,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { expect } from "chai";
import * as agentserver from "pulumi-agentserver";
import * as native from "pulumi-agentserver/native";
import { bind } from "../../../lab/faults/native-provider";
import { json, startServer, type TestServer } from "../../support/http";
import { configureStack, unconfigureStack } from "./stack-configuration";

type Done<Answer> = (error: object | null, answer?: Answer) => void;

describe("a function whose answer nobody waits for", () => {
  let server: TestServer;
  let address = "";
  /** The engine, which passes on what the native provider says. */
  const monitor = new Server();
  monitor.addService(ResourceMonitorService, {
    supportsFeature: (_: unknown, done: Done<SupportsFeatureResponse>) =>
      done(null, new SupportsFeatureResponse()),
    invoke: ({ request }: { request: ResourceInvokeRequest }, done: Done<never>) =>
      done({ code: status.UNKNOWN, details: JSON.stringify(request.getArgs()?.toJavaScript()) }),
  });

  before(async () => {
    // It quotes what it refuses.
    server = await startServer(({ url, body }, response) => {
      const asked = url + body;
      const refused = asked.includes("CANARY") && { detail: asked };
      json(response, refused ? 403 : 200, refused || { resources: [], offset: 0 });
    });
    configureStack({ url: server.url, apiKey: "key", workspaceId: "mine" });
    address = await bind(monitor);
  });
  after(async () => {
    runtime.resetOptions("project", "stack", -1, "", "", false, "");
    unconfigureStack();
    monitor.forceShutdown();
    await server.close();
  });
  beforeEach(() => {
    server.received.splice(0);
    runtime.resetOptions("shop", "test", -1, "", address, false, "");
  });

  for (const form of ["listDeployments", "listDeploymentsOutput"] as const)
    it(`keeps the run open until it has ended: ${form}`, async () => {
      void agentserver[form]();
      await runtime.disconnect();
      expect(server.received).to.have.length(1);
    });

  const calls = (sdk: typeof agentserver) => ({
    argument: () => void sdk.getDeploymentOutput({ name: secret("value-CANARY") }),
    "member of one": () => {
      const metadata = { owner: secret("value-CANARY") };
      sdk.searchThreadsOutput({ deploymentUrl: server.url, metadata });
    },
  });
  for (const [frontEnd, sdk] of Object.entries({ agentserver, native }))
    for (const [what, call] of Object.entries(calls(sdk)))
      it(`fails the run, and shows no secret ${what}: ${frontEnd}`, async () => {
        const listeners = process.listeners("unhandledRejection");
        process.removeAllListeners("unhandledRejection");
        const failures: string[] = [];
        process.on("unhandledRejection", (error) => failures.push(inspect(error)));
        call();
        await runtime.disconnect();
        await setImmediate();
        process.removeAllListeners("unhandledRejection");
        for (const listener of listeners) process.on("unhandledRejection", listener);
        expect(failures.join()).to.contain("[secret]").and.not.contain("CANARY");
      });
});
