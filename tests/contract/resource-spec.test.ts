import { expect } from "chai";
import * as schema from "../../sdk/schema";
import { snakeKeys } from "../../provider/arguments/casing";
import { everyImageArgument } from "../support/every-field";
import { anImageDeployment, usePlatform } from "../support/platform";
import { parsed } from "../support/values";

const MOUNT = {
  name: "data",
  mountPath: "/data",
  subPath: "a",
  mountPropagation: "None",
  subPathExpr: "$(HOST)",
  readOnly: true,
};
const VOLUME = {
  name: "data",
  configMap: { name: "settings" },
  secret: { secretName: "s" },
  emptyDir: {},
  persistentVolumeClaim: { claimName: "c" },
  nfs: { server: "files.example.com", path: "/" },
  projected: { sources: [] },
  downwardAPI: { items: [] },
  csi: { driver: "d" },
};
/** The largest of each core that is limited. */
const MOST_CORES = {
  cpu: 8,
  queue_cpu: 8,
  cache_cpu: 8,
  cpu_limit: 16,
  queue_cpu_limit: 16,
  cache_cpu_limit: 16,
};

describe("the contract of resource specs", () => {
  const t = usePlatform();

  const bodyOf = (resource_spec: object) => ({
    ...anImageDeployment(),
    source_config: { resource_spec },
  });
  const answered = async (resource_spec: object) => {
    const { id } = await t.create(bodyOf(resource_spec));
    return (await t.get(id)).source_config.resource_spec;
  };

  /** Every member of a spec, and of what is in it. */
  const whole = () => {
    const { volumes, volumeMounts, ...rest } = everyImageArgument(t).sourceConfig.resourceSpec;
    const inPod = { volumes: [...volumes, VOLUME], volume_mounts: [...volumeMounts, MOUNT] };
    return { ...snakeKeys(rest), ...inPod };
  };

  it("takes every member at once and gives each of them back, CPU rounded to one decimal", async () => {
    const { init_containers: init, sidecars } = parsed(schema.ResourceSpec, whole());
    const containers = [...(init ?? []), ...(sidecars ?? [])];
    for (const [things, { shape }] of [
      [[whole()], schema.ResourceSpec],
      [containers, schema.Container],
      [containers.flatMap(({ env }) => env ?? []), schema.EnvVar],
      [[VOLUME], schema.Volume],
      [[MOUNT], schema.VolumeMount],
    ] as const)
      expect(Object.assign({}, ...things)).to.have.all.keys(shape);
    const rounded = Object.entries(whole()).map(([name, value]) => [
      name,
      /cpu/.test(name) ? Math.round(Number(value) * 10) / 10 : value,
    ]);
    expect(await answered(whole())).to.deep.equal(Object.fromEntries(rounded));
  });

  it("takes a spec without any member, and null for each", async () => {
    const unset = Object.fromEntries(Object.keys(whole()).map((name) => [name, null]));
    expect(await answered({})).to.deep.equal(unset);
    expect(await answered(unset)).to.deep.equal(unset);
  });

  it("fills in each default from the member that it is derived from", async () => {
    const bases = { min_scale: 1, max_scale: 3, cpu: 1.25, memory_mb: 500, cache_cpu: 1 };
    const scales = { queue_min_scale: 1, queue_max_scale: 3 };
    const cores = { cpu_limit: 2.6, queue_cpu: 1.3, queue_cpu_limit: 2.6, cache_cpu_limit: 2 };
    const memory = { memory_limit_mb: 1000, queue_memory_mb: 500, queue_memory_limit_mb: 1000 };
    const database = { db_cpu_limit: 4, db_memory_limit_mb: 128 };
    const derived = { ...scales, ...cores, ...memory, ...database };
    expect(await answered({ ...bases, db_cpu: 2, db_memory_mb: 64 })).to.include(derived);
    expect(await answered({ cpu: 1, queue_cpu: 2 })).to.include({ queue_cpu_limit: 4 });
  });

  for (const [name, most] of Object.entries(MOST_CORES))
    it(`takes 0.1 to ${most} for ${name}, judged before it is rounded`, async () => {
      for (const cores of [0.1, most])
        expect(await answered({ [name]: cores })).to.have.property(name, cores);
      for (const cores of [0, 0.09, most + 0.01])
        expect(await refusedPlaces({ [name]: cores })).to.deep.equal([name]);
    });

  const refusedPlaces = async (resource_spec: object) => {
    const body = { name: "support", source: "", secrets: [], source_revision_config: {} };
    const sent = { ...body, ...bodyOf(resource_spec) };
    const answer = await t.request("POST", "/v2/deployments", sent);
    expect(answer.status).to.equal(422);
    return parsed(schema.HTTPValidationError, answer.body).detail.map(({ loc }) =>
      loc.slice(3).join("."),
    );
  };
  const inContainer = (changes: object) => ({
    init_containers: [{ name: "a", image: "b", ...changes }],
  });
  /** The place of a problem, and specs that have it. */
  const REFUSED: Readonly<Record<string, readonly object[]>> = {
    min_scale: [{ min_scale: 1.5 }],
    memory_mb: [{ memory_mb: -1 }],
    db_cpu: [{ db_cpu: -0.5 }],
    max_scale: [{ min_scale: 3, max_scale: 2 }],
    memory_limit_mb: [{ memory_mb: 512, memory_limit_mb: 256 }],
    // Against a default.
    queue_min_scale: [{ max_scale: 2, queue_min_scale: 3 }],
    queue_cpu_limit: [{ cpu: 2, queue_cpu_limit: 1 }],
    executor_cpu_limit: [{ executor_cpu: 2, executor_cpu_limit: 1 }],
    "labels.a": [{ labels: { a: 1 } }, { labels: { a: "b c" } }],
    "labels.a b": [{ labels: { "a b": "c" } }],
    "labels.a/b/c": [{ labels: { "a/b/c": "d" } }],
    "annotations.a-": [{ annotations: { "a-": "b" } }],
    "image_pull_secrets.0.name": [{ image_pull_secrets: [{}] }],
    "volumes.0.name": [{ volumes: [{}] }, { volumes: [{ name: "Da_ta" }] }],
    "volumes.1.name": [{ volumes: [{ name: "data" }, { name: "data" }] }],
    "volumes.0.nfs": [{ volumes: [{ name: "a", nfs: "x" }] }],
    "volume_mounts.0.name": [{ volume_mounts: [{ name: "a", mountPath: "/" }] }],
    "volume_mounts.0.mountPath": [{}, { mountPath: "data" }].map((mount) => ({
      volumes: [{ name: "a" }],
      volume_mounts: [{ name: "a", ...mount }],
    })),
    "sidecars.0.image": [{ sidecars: [{ name: "a" }] }],
    "sidecars.0.name": [
      { sidecars: [{ name: "-a", image: "b" }] },
      { ...inContainer({}), sidecars: [{ name: "a", image: "c" }] },
    ],
    "sidecars.1.name": [{ sidecars: ["b", "c"].map((image) => ({ name: "a", image })) }],
    "init_containers.0.volumeMounts.0.name": [
      inContainer({ volumeMounts: [{ name: "a", mountPath: "/" }] }),
    ],
    "init_containers.0.imagePullPolicy": [inContainer({ imagePullPolicy: "Sometimes" })],
    "init_containers.0.restartPolicy": [inContainer({ restartPolicy: "Never" })],
    "init_containers.0.env.0.name": [inContainer({ env: [{ name: "1-A" }] })],
    "init_containers.0.env.0.valueFrom": [
      inContainer({ env: [{ name: "A", value: "b", valueFrom: {} }] }),
    ],
    "init_containers.0.resources.limits.cpu": ["a lot", 1].map((cpu) =>
      inContainer({ resources: { limits: { cpu } } }),
    ),
  };
  for (const [place, specs] of Object.entries(REFUSED))
    for (const spec of specs)
      it(`refuses ${place} of ${JSON.stringify(spec)}`, async () =>
        expect(await refusedPlaces(spec)).to.deep.equal([place]));
});
