import { expect } from "chai";
import {
  Container,
  EnvVar,
  HTTPValidationError,
  ResourceSpec,
  Volume,
  VolumeMount,
} from "../../sdk/schema";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../support/platform";
import { parsed } from "../support/values";

const VARIABLES = [
  { name: "_LEVEL", value: "info" },
  { name: "HOST", value: "", valueFrom: { fieldRef: { fieldPath: "status.hostIP" } } },
];
const MOUNT = {
  name: "data",
  mountPath: "/data",
  subPath: "a",
  mountPropagation: "None",
  subPathExpr: "$(HOST)",
  readOnly: true,
};
const CONTAINER = {
  name: "helper",
  image: "registry.example.com/helper:1",
  imagePullPolicy: "IfNotPresent",
  command: ["run"],
  args: ["--fast"],
  workingDir: "/srv",
  env: VARIABLES,
  envFrom: [{ configMapRef: { name: "settings" } }],
  resources: { limits: { cpu: "1" }, requests: { memory: "64Mi" } },
  volumeMounts: [MOUNT],
  securityContext: { runAsNonRoot: true },
  restartPolicy: "Always",
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
const CPU = {
  cpu: 0.1,
  cpu_limit: 16,
  queue_cpu: 8,
  queue_cpu_limit: 8,
  cache_cpu: 0.5,
  cache_cpu_limit: 2,
};
const WHOLE = {
  ...CPU,
  min_scale: 1,
  max_scale: 3,
  memory_mb: 1024,
  memory_limit_mb: 2048,
  queue_min_scale: 1,
  queue_max_scale: 2,
  queue_memory_mb: 512,
  queue_memory_limit_mb: 1024,
  cache_memory_mb: 512,
  labels: { team: "support" },
  annotations: { "example.com/note": "x" },
  service_account_name: "agents",
  image_pull_secrets: [{ name: "registry" }],
  volumes: [VOLUME],
  volume_mounts: [MOUNT],
  init_containers: [CONTAINER],
  sidecars: [{ ...CONTAINER, name: "proxy", restartPolicy: "OnFailure" }],
  db_cpu: 1,
  db_cpu_limit: 2,
  db_memory_mb: 2048,
  db_memory_limit_mb: 4096,
  db_storage_gi: 20,
  db_max_connections: 100,
  orchestrator_cpu: 1,
  orchestrator_cpu_limit: 1,
  orchestrator_memory_mb: 256,
  orchestrator_memory_limit_mb: 512,
  orchestrator_min_scale: 1,
  orchestrator_max_scale: 1,
  executor_cpu: 1,
  executor_cpu_limit: 1,
  executor_memory_mb: 256,
  executor_memory_limit_mb: 512,
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

  it("takes every member at once and gives each of them back", async () => {
    expect(WHOLE).to.have.all.keys(ResourceSpec.shape);
    expect(CONTAINER).to.have.all.keys(Container.shape);
    expect(VOLUME).to.have.all.keys(Volume.shape);
    expect(MOUNT).to.have.all.keys(VolumeMount.shape);
    expect(VARIABLES[1]).to.have.all.keys(EnvVar.shape);
    expect(await answered(WHOLE)).to.deep.equal(WHOLE);
  });

  it("takes a spec without any member, and null for each", async () => {
    const unset = Object.fromEntries(Object.keys(WHOLE).map((name) => [name, null]));
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

  it("rounds every CPU member to one decimal", async () => {
    const given = Object.keys(CPU).map((name) => [name, 1.25] as const);
    expect(await answered(Object.fromEntries(given))).to.include(
      Object.fromEntries(given.map(([name]) => [name, 1.3])),
    );
  });

  for (const [name, most] of Object.entries({
    cpu: 8,
    queue_cpu: 8,
    cache_cpu: 8,
    cpu_limit: 16,
    queue_cpu_limit: 16,
    cache_cpu_limit: 16,
  }))
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
  const withContainer = (changes: object) => ({
    init_containers: [{ name: "a", image: "b", ...changes }],
  });
  const refused: [what: string, spec: object, place: string][] = [
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
    [
      "a container's mount of no volume",
      withContainer({ volumeMounts: [{ name: "a", mountPath: "/" }] }),
      "init_containers.0.volumeMounts.0.name",
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
      "an unknown pull policy",
      withContainer({ imagePullPolicy: "Sometimes" }),
      "init_containers.0.imagePullPolicy",
    ],
    [
      "an unknown restart policy",
      withContainer({ restartPolicy: "Never" }),
      "init_containers.0.restartPolicy",
    ],
    [
      "a variable whose name is no C identifier",
      withContainer({ env: [{ name: "1-A" }] }),
      "init_containers.0.env.0.name",
    ],
    [
      "a variable with a value and a source of it",
      withContainer({ env: [{ name: "A", value: "b", valueFrom: {} }] }),
      "init_containers.0.env.0.valueFrom",
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
    [
      "a quantity that is none",
      withContainer({ resources: { limits: { cpu: "a lot" } } }),
      "init_containers.0.resources.limits.cpu",
    ],
    [
      "a quantity that is no text",
      withContainer({ resources: { limits: { cpu: 1 } } }),
      "init_containers.0.resources.limits.cpu",
    ],
  ];
  for (const [what, spec, place] of refused)
    it(`refuses ${what}`, async () => {
      expect(await refusedPlaces(spec)).to.deep.equal([place]);
    });
});
