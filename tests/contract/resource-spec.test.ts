import { expect } from "chai";
import {
  Container,
  EnvVar,
  HTTPValidationError,
  ResourceSpec,
  Volume,
  VolumeMount,
} from "../../sdk/schema";
import { snakeKeys } from "../../provider/arguments/casing";
import { everyImageArgument } from "../support/every-field";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../support/platform";
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
  let t: TestPlatform;
  before(async () => (t = await startTestPlatform()));
  after(() => t.close());

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
    const { init_containers: init, sidecars } = parsed(ResourceSpec, whole());
    const containers = [...(init ?? []), ...(sidecars ?? [])];
    for (const [things, { shape }] of [
      [[whole()], ResourceSpec],
      [containers, Container],
      [containers.flatMap(({ env }) => env ?? []), EnvVar],
      [[VOLUME], Volume],
      [[MOUNT], VolumeMount],
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
    expect(await answered({ ...bases, db_cpu: 2, db_memory_mb: 64 })).to.include({
      cpu_limit: 2.6,
      memory_limit_mb: 1000,
      queue_min_scale: 1,
      queue_max_scale: 3,
      queue_cpu: 1.3,
      queue_cpu_limit: 2.6,
      queue_memory_mb: 500,
      queue_memory_limit_mb: 1000,
      cache_cpu_limit: 2,
      db_cpu_limit: 4,
      db_memory_limit_mb: 128,
    });
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
    const answer = await t.request("POST", "/v2/deployments", {
      ...body,
      ...bodyOf(resource_spec),
    });
    expect(answer.status).to.equal(422);
    return parsed(HTTPValidationError, answer.body).detail.map(({ loc }) => loc.slice(3).join("."));
  };
  type Refused = readonly (readonly [what: string, spec: object, place: string])[];
  const inSpec: Refused = [
    ["a count that is no integer", { min_scale: 1.5 }, "min_scale"],
    ["a label that is no text", { labels: { a: 1 } }, "labels.a"],
    ["a pull secret without name", { image_pull_secrets: [{}] }, "image_pull_secrets.0.name"],
    ["a volume without name", { volumes: [{}] }, "volumes.0.name"],
    ["a volume whose name is no DNS label", { volumes: [{ name: "Da_ta" }] }, "volumes.0.name"],
    [
      "two volumes of one name",
      { volumes: [{ name: "data" }, { name: "data" }] },
      "volumes.1.name",
    ],
    ["a volume that is no object", { volumes: [{ name: "a", nfs: "x" }] }, "volumes.0.nfs"],
    [
      "a mount of no volume",
      { volume_mounts: [{ name: "a", mountPath: "/" }] },
      "volume_mounts.0.name",
    ],
    [
      "a mount without path",
      { volumes: [{ name: "a" }], volume_mounts: [{ name: "a" }] },
      "volume_mounts.0.mountPath",
    ],
    ["a size below zero", { memory_mb: -1 }, "memory_mb"],
    ["database cores below zero", { db_cpu: -0.5 }, "db_cpu"],
    ["a minimum above the maximum", { min_scale: 3, max_scale: 2 }, "max_scale"],
    ["a minimum above a default maximum", { max_scale: 2, queue_min_scale: 3 }, "queue_min_scale"],
    ["a request above its limit", { memory_mb: 512, memory_limit_mb: 256 }, "memory_limit_mb"],
    ["a default request above its limit", { cpu: 2, queue_cpu_limit: 1 }, "queue_cpu_limit"],
    [
      "a request above a limit that is not to be used",
      { executor_cpu: 2, executor_cpu_limit: 1 },
      "executor_cpu_limit",
    ],
    [
      "two sidecars of one name",
      {
        sidecars: [
          { name: "a", image: "b" },
          { name: "a", image: "c" },
        ],
      },
      "sidecars.1.name",
    ],
    [
      "a sidecar with the name of an init container",
      { init_containers: [{ name: "a", image: "b" }], sidecars: [{ name: "a", image: "c" }] },
      "sidecars.0.name",
    ],
    ["a container without image", { sidecars: [{ name: "a" }] }, "sidecars.0.image"],
    [
      "a container whose name is no DNS label",
      { sidecars: [{ name: "-a", image: "b" }] },
      "sidecars.0.name",
    ],
    [
      "a mount with a relative path",
      { volumes: [{ name: "a" }], volume_mounts: [{ name: "a", mountPath: "data" }] },
      "volume_mounts.0.mountPath",
    ],
    ["a label with a key of blanks", { labels: { "a b": "c" } }, "labels.a b"],
    ["a label with two prefixes", { labels: { "a/b/c": "d" } }, "labels.a/b/c"],
    ["a label whose value has blanks", { labels: { a: "b c" } }, "labels.a"],
    [
      "an annotation with a key that ends in a dash",
      { annotations: { "a-": "b" } },
      "annotations.a-",
    ],
  ];
  const inContainer: Refused = [
    [
      "a container's mount of no volume",
      { volumeMounts: [{ name: "a", mountPath: "/" }] },
      "volumeMounts.0.name",
    ],
    ["an unknown pull policy", { imagePullPolicy: "Sometimes" }, "imagePullPolicy"],
    ["an unknown restart policy", { restartPolicy: "Never" }, "restartPolicy"],
    ["a variable whose name is no C identifier", { env: [{ name: "1-A" }] }, "env.0.name"],
    [
      "a variable with a value and a source of it",
      { env: [{ name: "A", value: "b", valueFrom: {} }] },
      "env.0.valueFrom",
    ],
    [
      "a quantity that is none",
      { resources: { limits: { cpu: "a lot" } } },
      "resources.limits.cpu",
    ],
    ["a quantity that is no text", { resources: { limits: { cpu: 1 } } }, "resources.limits.cpu"],
  ];
  const refused: Refused = [
    ...inSpec,
    ...inContainer.map(([what, changes, place]) => {
      const spec = { init_containers: [{ name: "a", image: "b", ...changes }] };
      return [what, spec, `init_containers.0.${place}`] as const;
    }),
  ];
  for (const [what, spec, place] of refused)
    it(`refuses ${what}`, async () => {
      expect(await refusedPlaces(spec)).to.deep.equal([place]);
    });
});
