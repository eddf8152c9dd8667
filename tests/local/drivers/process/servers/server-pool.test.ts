import { expect } from "chai";
import { ServerUnavailable } from "../../../../../local/drivers/driver";
import { until } from "../../../children";
import { failureOf, Scene } from "./scene";
import { aRevision } from "./scripted";

describe("ServerPool", () => {
  const scene = new Scene();
  const { ask, revisionOf, starts } = scene;
  // As built-in servers, they leave their threads where they are.
  beforeEach(() => {
    for (const id of ["r0", "r1", "r2", "r3", "r4"]) scene.formats[id] = null;
  });

  async function unavailable(deploymentId = "one"): Promise<ServerUnavailable> {
    const error = await scene.pool.origin(deploymentId).catch((reason: unknown) => reason);
    if (!(error instanceof ServerUnavailable)) throw new Error(`is available: ${String(error)}`);
    return error;
  }

  it("starts a restored revision at the first request, once for all who ask", async () => {
    scene.pool.restore(aRevision("r1"));
    expect(starts()).to.deep.equal([]);
    const revisions = await Promise.all([revisionOf(), revisionOf(), revisionOf()]);
    expect(revisions).to.deep.equal(["r1", "r1", "r1"]);
    expect(starts()).to.deep.equal(["r1"]);
  });

  it("says that nothing runs yet, also while the first revision starts or when it failed", async () => {
    const reason = "no revision of this deployment is deployed yet";
    expect(await unavailable()).to.have.property("message", reason);
    scene.modes["r1"] = "dies";
    const deploying = scene.deploy("r1").catch(() => {});
    expect(await unavailable()).to.have.property("message", reason);
    await deploying;
    expect(await unavailable()).to.have.property("message", reason);
  });

  it("refuses no request while revisions roll over", async () => {
    await scene.deploy("r0");
    const rolling = new AbortController();
    const statuses = new Set<number>();
    const callers = [1, 2, 3, 4].map(async () => {
      while (!rolling.signal.aborted) statuses.add((await ask("/info")).status);
    });

    for (const id of ["r1", "r2", "r3", "r4"]) await scene.deploy(id);
    rolling.abort();
    await Promise.all(callers);
    expect([...statuses]).to.deep.equal([200]);
    expect(await revisionOf()).to.equal("r4");
  });

  it("follows a start that is in progress", async () => {
    scene.modes["r1"] = "mute";
    scene.pool.restore(aRevision("r1"));
    const waiting = revisionOf();
    await until("the start", () => scene.running === 1);
    await scene.deploy("r2");
    expect(await waiting).to.equal("r2");
    await until("one to run", () => scene.running === 1);
  });

  describe("after a crash", () => {
    it("says why without secrets, as anyone may ask, and for how long, in the log too, and starts the server again after the pause", async () => {
      const secrets = [{ name: "MODEL_API_KEY", value: "crashed at last" }];
      const revision = aRevision("r1", "one", { secrets });
      await scene.pool.deploy({ revision, signal: new AbortController().signal, log: () => {} });
      await scene.crash();
      const { message, retryAfterSeconds } = await unavailable();
      expect(message).to.match(/^the server exited with code 5: \*\*\*; restarting in 1 s$/);
      expect(retryAfterSeconds).to.equal(1);
      expect(scene.log).to.deep.equal([`r1: ${message}`]);
      await scene.clock.advance(1000);
      expect(await revisionOf()).to.equal("r1");
    });

    it("gives up after five within a minute, until the next revision", async () => {
      await scene.deploy("r1");
      for (const pauseSeconds of [1, 2, 4, 8]) {
        await scene.crash();
        expect((await unavailable()).retryAfterSeconds).to.equal(pauseSeconds);
        await scene.clock.advance(pauseSeconds * 1000);
        await until("the restart", async () => (await scene.pool.origin("one")) !== "");
      }
      await scene.crash();
      const { message, retryAfterSeconds } = await unavailable();
      expect(message).to.match(/^the server failed 5 times within a minute.*crashed at last/s);
      expect(retryAfterSeconds).to.equal(undefined);
      expect(scene.log.at(-1)).to.equal(`r1: ${message}`);
      await scene.deploy("r2");
      expect(await revisionOf()).to.equal("r2");
    });

    it("counts a restart that fails as another crash", async () => {
      await scene.deploy("r1");
      scene.modes["r1"] = "dies";
      await scene.crash();
      await scene.clock.advance(1000);
      await until("the second", async () => (await unavailable()).retryAfterSeconds === 2);
      expect((await unavailable()).message).to.contain("import error: no module named x");
    });
  });

  describe("with more deployments than servers", () => {
    beforeEach(() => scene.makePool({ maxServers: 2 }));

    it("stops the one that was asked for longest ago, which starts again when asked", async () => {
      for (const name of ["one", "two", "three"]) {
        scene.pool.restore(aRevision(`${name}-1`, name));
        await scene.clock.advance(1000);
        if (name !== "three") await revisionOf(name);
      }
      await scene.clock.advance(1000);
      await revisionOf("one");
      await revisionOf("three");
      expect(scene.running).to.equal(2);
      expect(await revisionOf("one")).to.equal("one-1");
      expect(starts()).to.deep.equal(["one-1", "two-1", "three-1"]);
      expect(await revisionOf("two")).to.equal("two-1");
      expect(starts().at(-1)).to.equal("two-1");
    });

    it("spares the one that has a request running", async () => {
      for (const name of ["one", "two"]) {
        await scene.deploy(`${name}-1`, { deploymentId: name });
        await scene.clock.advance(1000);
      }
      const { answer, release } = await scene.hold();
      await scene.clock.advance(1000);
      await revisionOf("two");
      await scene.deploy("three-1", { deploymentId: "three" });
      await release();
      expect((await answer).status).to.equal(200);
      await revisionOf("one");
      expect(starts()).to.deep.equal(["one-1", "two-1", "three-1"]);
    });

    it("answers everyone though all ask at once", async () => {
      scene.makePool({ maxServers: 1 });
      const names = ["one", "two", "three", "four"];
      for (const name of names) scene.pool.restore(aRevision(`${name}-1`, name));
      const answers = await Promise.all(names.map(revisionOf));
      expect(answers).to.deep.equal(["one-1", "two-1", "three-1", "four-1"]);
      expect(scene.mostRunning).to.equal(1);
    });

    it("gives up waiting for one that only starts, where the revision is interrupted or the deployment removed, and takes none then", async () => {
      scene.makePool({ maxServers: 1 });
      scene.modes["one-1"] = "starts late";
      const starting = scene.deploy("one-1", { deploymentId: "one" });
      await until("the start", () => scene.running === 1);
      const controller = new AbortController();
      const { signal } = controller;
      const deploying = failureOf(scene.deploy("two-1", { deploymentId: "two", signal }));
      scene.pool.restore(aRevision("three-1", "three"));
      const waiting = unavailable("three");
      controller.abort("interrupted");
      expect(await deploying).to.equal("interrupted");
      const late = failureOf(scene.deploy("two-2", { deploymentId: "two", signal }));
      expect(await late).to.equal("interrupted");
      await scene.pool.remove("three");
      expect(await waiting).to.have.property("message", "the deployment is shutting down");
      await scene.open("one-1");
      await starting;
      expect(await revisionOf()).to.equal("one-1");
      expect(starts()).to.deep.equal(["one-1"]);
    });
  });

  it("ends a start that is under way when the deployment is removed", async () => {
    scene.modes["r1"] = "mute";
    scene.pool.restore(aRevision("r1"));
    const waiting = unavailable();
    await until("the start", () => scene.running === 1);
    await scene.pool.remove("one");
    expect(await waiting).to.have.property("message", "the deployment is shutting down");
    expect(scene.running).to.equal(0);
  });
});
