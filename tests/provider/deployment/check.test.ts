import { expect } from "chai";
import { runtime } from "@pulumi/pulumi";
import { checkInputs } from "../../../provider/deployment/check";
import type { DialectName } from "pulumi-agentserver/sdk";
import type { CheckedAgainst } from "../../../provider/deployment/declared/warnings";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { GIT_INPUTS, IMAGE_INPUTS, URN } from "../../support/inputs";

const problemsOf = (news: Record<string, unknown>, olds = {}) =>
  checkInputs(olds, news, URN).problems.map(({ property, reason }) => `${property}: ${reason}`);
const CLOUD: CheckedAgainst = {
  dialect: "agentserver",
  baseUrl: "https://control.example.com",
  isSelfHosted: false,
};
const withConfig = (inputs: { sourceConfig: object }, members: object) => ({
  ...inputs,
  sourceConfig: { ...inputs.sourceConfig, ...members },
});

describe("deployment check", () => {
  it("finds nothing wrong with what each source needs", () => {
    expect(problemsOf(GIT_INPUTS)).to.be.empty;
    expect(problemsOf(IMAGE_INPUTS)).to.be.empty;
    expect(problemsOf({ source: "internal_container" })).to.be.empty;
  });

  it("names every problem at once, by the path that the user wrote", () => {
    const problems = problemsOf({
      source: "git_host",
      sourceConfig: { integrationId: "none", deploymentType: "huge", imageUri: "x" },
      sourceRevisionConfig: { repoRef: "refs/heads/main" },
      env: { PORT: "1", A: "1" },
      secrets: { A: "2" },
      wait: { until: "later", timeoutSeconds: 0 },
    });
    expect(problems).to.have.members([
      "sourceConfig.repoUrl: is required for the source git_host",
      "sourceRevisionConfig.graphConfigPath: is required for the source git_host",
      "sourceConfig.integrationId: must be a UUID",
      "sourceConfig.deploymentType: must be one of dev_free, dev, prod, dev_zero, dev_free_zero",
      ": unknown argument 'sourceConfig.imageUri'",
      "sourceRevisionConfig.repoRef: is the path of a branch; write 'main'",
      "env.PORT: is set by the platform and can't be declared",
      "secrets.A: is set in env and in secrets; keep one",
      "wait.until: must be one of active, deployed, none",
      "wait.timeoutSeconds: must be greater than 0",
    ]);
  });

  it("refuses an image and a path that no service can find, and takes those that one can", () => {
    const image = (imageUri: string) =>
      problemsOf({ ...IMAGE_INPUTS, sourceRevisionConfig: { imageUri } });
    const INVALID =
      "sourceRevisionConfig.imageUri: must be a container image such as registry.example.com/acme/support:1.4, without blanks and without https://";
    for (const uri of ["a b", "https://registry.example.com/a", " a"])
      expect(image(uri), uri).to.deep.equal([INVALID]);
    for (const uri of [
      "a",
      "a:1",
      "localhost:5000/a/b:1",
      `registry.example.com/a@sha256:${"0".repeat(64)}`,
    ])
      expect(image(uri), uri).to.be.empty;
    const path = (graphConfigPath: string) =>
      problemsOf({ ...GIT_INPUTS, sourceRevisionConfig: { repoRef: "main", graphConfigPath } });
    for (const wrong of ["/langgraph.json", "../langgraph.json", "apps/../../langgraph.json", ".."])
      expect(path(wrong), wrong).to.deep.equal([
        "sourceRevisionConfig.graphConfigPath: must be a path inside the repository such as langgraph.json: relative, and without '..'",
      ]);
    for (const right of ["langgraph.json", "apps/support/langgraph.json", "./a..b/langgraph.json"])
      expect(path(right), right).to.be.empty;
  });

  it("refuses labels, mounts and quantities that Kubernetes refuses, by their path", () => {
    const spec = {
      labels: { "a b": "c" },
      volumes: [{ name: "data" }],
      volumeMounts: [{ name: "data", mountPath: "data" }],
      sidecars: [{ name: "a", image: "b", resources: { limits: { cpu: "a lot" } } }],
    };
    const problems = problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec: spec }));
    expect(problems.map((problem) => problem.split(": ")[0])).to.have.members([
      "sourceConfig.resourceSpec.labels.a b",
      "sourceConfig.resourceSpec.volumeMounts[0].mountPath",
      "sourceConfig.resourceSpec.sidecars[0].resources.limits.cpu",
    ]);
  });

  it("says each of two mistakes in a resource spec, whichever two they are", () => {
    const mistakes: readonly Props[] = [
      { cpu: "2 cores" },
      { minScale: 3, maxScale: 2 },
      { memoryMb: 4096, memoryLimitMb: 1024 },
      { queueCpu: 99 },
      { labels: { "a b": "c" } },
      { annotations: { plain: 1 } },
      { volumes: [{ name: "data" }, { name: "data" }] },
      { volumeMounts: [{ name: "none", mountPath: "/none" }] },
      { sidecars: [{ name: "UPPER", image: "proxy" }] },
      { initContainers: "none" },
    ];
    const found = (resourceSpec: Props) => problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec }));
    for (const one of mistakes) {
      expect(found(one), JSON.stringify(one)).to.have.lengthOf(1);
      for (const other of mistakes)
        expect(found({ ...one, ...other }), JSON.stringify([one, other])).to.have.members([
          ...new Set([...found(one), ...found(other)]),
        ]);
    }
  });

  it("refuses what an update can't do, unless an unknown value may replace the deployment", () => {
    const before = { ...withConfig(GIT_INPUTS, { installCommand: "npm ci" }), name: "support" };
    const removed = { ...GIT_INPUTS, name: "support" };
    expect(problemsOf(removed, before)).to.have.lengthOf(1);
    expect(problemsOf({ ...removed, name: UNKNOWN }, before)).to.be.empty;
    expect(problemsOf(withConfig(removed, { integrationId: UNKNOWN }), before)).to.be.empty;
  });

  it("takes what newer versions of the public service know in their dialect alone", () => {
    const news = {
      ...withConfig(GIT_INPUTS, { deploymentType: "dev_zero" }),
      displayName: "Support",
    };
    const inDialect = (dialect: DialectName) =>
      checkInputs({}, news, URN, { ...CLOUD, dialect }).problems;
    expect(inDialect("langsmith")).to.be.empty;
    expect(inDialect("agentserver")).to.deep.equal([
      {
        property: "displayName",
        reason: "needs the dialect langsmith, and the setting is agentserver",
      },
      {
        property: "sourceConfig.deploymentType",
        reason: "'dev_zero' needs the dialect langsmith, and the setting is agentserver",
      },
    ]);
    expect(problemsOf(news), "without usable settings").to.be.empty;
  });

  it("knows no source but the contract's", () =>
    expect(problemsOf({ source: "zip" })).to.deep.equal([
      "source: must be one of git_host, external_container, internal_container",
    ]));

  it("refuses a reference whose name is set twice, and one of a source that has no namespace", () => {
    const reference = { name: "A", secretName: "s", secretKey: "k" };
    const twice =
      "secretReferences: has A, which is set twice: keep it there, in env or in secrets";
    const secretReferences = [reference];
    for (const variables of [{ env: { A: "1" } }, { secrets: { A: "1" } }])
      expect(problemsOf({ ...IMAGE_INPUTS, ...variables, secretReferences })).to.deep.equal([
        twice,
      ]);
    expect(problemsOf({ ...IMAGE_INPUTS, secretReferences: [reference, reference] })).to.deep.equal(
      [twice],
    );
    expect(problemsOf({ ...GIT_INPUTS, secretReferences })).to.deep.equal([
      "secretReferences: can't be set for the source git_host",
    ]);
    expect(problemsOf({ ...IMAGE_INPUTS, secretReferences: [{ name: "A" }] })).to.deep.equal([
      "secretReferences[0].secretName: is required",
      "secretReferences[0].secretKey: is required",
    ]);
  });

  it("says why it refuses a source of newer versions of the public service", () =>
    expect(problemsOf({ source: "internal_source" })).to.deep.equal([
      "source: can't be internal_source, an upload of the code, which is not supported; use a git repository or an image",
    ]));

  it("says of a field of another source only that", () =>
    expect(problemsOf(withConfig(GIT_INPUTS, { listenerId: "q" }))).to.deep.equal([
      "sourceConfig.listenerId: can't be set for the source git_host",
    ]));

  it("refuses fields of one source on another", () => {
    expect(problemsOf(withConfig(GIT_INPUTS, { customUrl: "https://x" }))).to.deep.equal([
      "sourceConfig.customUrl: can't be set for the source git_host",
    ]);
    expect(problemsOf(withConfig(IMAGE_INPUTS, { buildOnPush: true }))).to.deep.equal([
      "sourceConfig.buildOnPush: can't be set for the source external_container",
    ]);
  });

  it("refuses a namespace without the listener that places the deployment in it", () => {
    const listenerConfig = { k8sNamespace: "agents" };
    const placed = (members: object) =>
      problemsOf(withConfig(IMAGE_INPUTS, { listenerConfig, ...members }));
    expect(placed({})).to.deep.equal([
      "sourceConfig.listenerConfig.k8sNamespace: needs sourceConfig.listenerId",
    ]);
    expect(placed({ listenerId: UNKNOWN })).to.be.empty;
    expect(placed({ listenerConfig: { k8sNamespace: UNKNOWN } })).to.be.empty;
    expect(placed({ listenerConfig: {} })).to.be.empty;
    expect(problemsOf(withConfig(GIT_INPUTS, { listenerConfig }))).to.deep.equal([
      "sourceConfig.listenerConfig: can't be set for the source git_host",
    ]);
  });

  it("refuses variables without a string as value, and says of one without a value what it would do", () => {
    const variables = { GOOD: "", "A=B": "1", NUMBER: 3, GONE: null };
    const reasons = (kind: string) => [
      `${kind}.A=B: is not a valid environment variable name`,
      `${kind}.NUMBER: must be a string: write a number, true or false in quotes`,
      `${kind}.GONE: has no value, which would remove it from the deployment: set what it is read from, or remove the variable from the program`,
    ];
    for (const kind of ["env", "secrets"]) {
      expect(problemsOf({ ...GIT_INPUTS, [kind]: variables })).to.deep.equal(reasons(kind));
      expect(problemsOf({ ...GIT_INPUTS, [kind]: ["A"] })).to.deep.equal([
        `: ${kind} must be an object of strings`,
      ]);
    }
  });

  for (const repoUrl of [
    "https://u:CANARY@git.example.com/a.git",
    "https://CANARY@git.example.com/a.git",
    "HTTP://CANARY@git.example.com",
    "https://u:CANARY@x@git.example.com/a.git",
    "https://u:CANARY with spaces@git.example.com/a.git",
    "ssh://git:CANARY@git.example.com/a.git",
    "u:CANARY@git.example.com/a.git",
    "  https://CANARY@git.example.com/a.git",
    "git:CANARY:x@git.example.com:a.git",
  ])
    it(`refuses credentials in a repository's URL and does not repeat them: ${repoUrl}`, () => {
      const problems = problemsOf(withConfig(GIT_INPUTS, { repoUrl }));
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(/^sourceConfig.repoUrl: holds credentials, .*integrationId/);
      expect(problems[0]).not.to.contain("CANARY");
    });

  for (const repoUrl of [
    "ssh://git@git.example.com/a.git",
    "git@git.example.com:acme/a@2.git",
    "git+https@git.example.com:a@b:c.git",
    "git+ssh://git@git.example.com/a.git",
    "xhttp://git@git.example.com/a.git",
    "https://git.example.com/@acme/a.git",
    "https://git.example.com:8443/a.git?at=a@b",
    "file:///srv/git/a.git",
    "http://git/a",
  ])
    it(`takes a repository's URL without credentials: ${repoUrl}`, () =>
      expect(problemsOf(withConfig(GIT_INPUTS, { repoUrl }))).to.be.empty);

  it("reads a million blanks in front of a repository's URL once", () => {
    const repoUrl = `${" ".repeat(1_000_000)}https://git.example.com/a.git`;
    const problems = problemsOf(withConfig(GIT_INPUTS, { repoUrl }));
    expect(problems.join()).not.to.contain("holds credentials");
  });

  it("refuses a key of the smoke check that a header cannot carry, without repeating it", () =>
    expect(problemsOf({ ...GIT_INPUTS, smokeCheck: { apiKey: "CANARY\n" } })).to.deep.equal([
      "smokeCheck.apiKey: begins or ends with a blank or a line break, which HTTP drops; remove it",
    ]));

  for (const repoUrl of [
    "support",
    "git.example.com/acme/a.git",
    "./a",
    "/srv/git/a.git",
    "https://",
    "https:///",
    "https://git.example.com/a b",
    "git@git.example.com",
  ])
    it(`refuses a repository's URL that is not one: ${repoUrl}`, () =>
      expect(problemsOf(withConfig(GIT_INPUTS, { repoUrl }))).to.deep.equal([
        "sourceConfig.repoUrl: must be a URL such as https://git.example.com/acme/support.git or git@git.example.com:acme/support.git",
      ]));

  it("refuses a custom URL that is not one of a web server, whatever else is unknown", () => {
    const withUrl = (customUrl: string) =>
      problemsOf(withConfig(IMAGE_INPUTS, { customUrl, listenerId: UNKNOWN }));
    for (const customUrl of ["support.example.com", "ssh://support.example.com", "https://", ""])
      expect(withUrl(customUrl), customUrl).to.deep.equal([
        "sourceConfig.customUrl: must be a URL such as https://support.example.com",
      ]);
    expect(withUrl("https://support.example.com/agent")).to.be.empty;
  });

  it("refuses to build a tag on push", () => {
    const inputs = withConfig(GIT_INPUTS, { buildOnPush: true });
    const tag = { ...GIT_INPUTS.sourceRevisionConfig, repoRef: "refs/tags/v1" };
    expect(problemsOf({ ...inputs, sourceRevisionConfig: tag })).to.have.length(1);
    expect(problemsOf(inputs)).to.be.empty;
  });

  it("checks CPU bounds before it rounds, and rounds half up", () => {
    const size = (cpu: number) => withConfig(IMAGE_INPUTS, { resourceSpec: { cpu } });
    expect(problemsOf(size(0.06))).to.deep.equal([
      "sourceConfig.resourceSpec.cpu: must be at least 0.1",
    ]);
    expect(problemsOf(size(8.01))).to.deep.equal([
      "sourceConfig.resourceSpec.cpu: must be at most 8",
    ]);
    const resourceSpec = { cpu: 0.25, cpuLimit: 0.75, queueCpu: 0.15, dbCpuLimit: 1.25 };
    const { props: inputs } = checkInputs(
      {},
      withConfig(IMAGE_INPUTS, { resourceSpec }),
      URN,
    ).declared;
    expect(inputs["sourceConfig"]).to.deep.equal({
      resourceSpec: { cpu: 0.3, cpuLimit: 0.8, queueCpu: 0.2, dbCpuLimit: 1.3 },
    });
  });

  it("finds misspelt members at any depth, and leaves free-form ones alone", () => {
    const resourceSpec = {
      cpus: 1,
      labels: { any_label: "x" },
      volumes: [{ name: "data", emptyDir: { medium: "Memory" }, emptydir: {} }],
      sidecars: [{ name: "proxy", image: "i", ports: [], env: [{ name: "A", vaule: "" }] }],
    };
    expect(problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec }))).to.have.members([
      ": unknown argument 'sourceConfig.resourceSpec.cpus'; did you mean sourceConfig.resourceSpec.cpu?",
      ": unknown argument 'sourceConfig.resourceSpec.volumes[0].emptydir'; did you mean sourceConfig.resourceSpec.volumes[0].emptyDir?",
      ": unknown argument 'sourceConfig.resourceSpec.sidecars[0].ports'",
      ": unknown argument 'sourceConfig.resourceSpec.sidecars[0].env[0].vaule'; did you mean sourceConfig.resourceSpec.sidecars[0].env[0].value?",
    ]);
  });

  it("checks pods: names, unique volumes, mounts of volumes that exist", () => {
    const resourceSpec = {
      volumes: [{ name: "data" }, { name: "data" }, { name: "No_label" }],
      volumeMounts: [{ name: "other", mountPath: "/x" }],
      sidecars: [
        {
          name: "proxy",
          image: "i",
          volumeMounts: [
            { name: "data", mountPath: "/y" },
            { name: "none", mountPath: "/z" },
          ],
          env: [
            { name: "1a", value: "" },
            { name: "B", value: "x", valueFrom: {} },
            { name: "C", value: "", valueFrom: {} },
          ],
        },
      ],
    };
    const spec = "sourceConfig.resourceSpec";
    expect(problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec }))).to.have.members([
      `${spec}.volumes[1].name: repeats the volume 'data'; names are unique in the pod`,
      `${spec}.volumes[2].name: must be a DNS label: a-z, 0-9 and dashes, at most 63`,
      `${spec}.volumeMounts[0].name: names no volume of this spec: 'other'`,
      `${spec}.sidecars[0].volumeMounts[1].name: names no volume of this spec: 'none'`,
      `${spec}.sidecars[0].env[0].name: must be a C identifier`,
      `${spec}.sidecars[0].env[1].valueFrom: is not allowed when value is not empty`,
    ]);
  });

  it("refuses a size that no pod can have", () => {
    const sizes = (resourceSpec: object) =>
      problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec })).map((problem) =>
        problem.replace("sourceConfig.resourceSpec.", ""),
      );
    expect(sizes({ minScale: 3, maxScale: 1, dbStorageGi: -1 })).to.deep.equal([
      "dbStorageGi: must be at least 0",
      "maxScale: must be at least the minimum, 3",
    ]);
    expect(sizes({ cpu: 4, cpuLimit: 2, memoryMb: 512, memoryLimitMb: 256 })).to.deep.equal([
      "cpuLimit: must be at least the request, 4",
      "memoryLimitMb: must be at least the request, 512",
    ]);
    expect(sizes({ minScale: 1, maxScale: 1, cpu: 2, cpuLimit: 2 })).to.be.empty;
  });

  it("counts the service's defaults where one end of a range is not set", () => {
    const sizes = (resourceSpec: object) =>
      problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec })).map((problem) =>
        problem.replace("sourceConfig.resourceSpec.", ""),
      );
    expect(sizes({ cpu: 2, queueCpuLimit: 1 })).to.deep.equal([
      "queueCpuLimit: must be at least the request, which is 2 by default",
    ]);
    expect(sizes({ maxScale: 2, queueMinScale: 3 })).to.deep.equal([
      "queueMinScale: must be at most the maximum, which is 2 by default",
    ]);
    // The queue's defaults break the same rule, and no one has set them.
    expect(sizes({ minScale: 3, maxScale: 1 })).to.have.length(1);
    expect(sizes({ cpu: 1, queueCpu: 2 })).to.be.empty;
  });

  it("refuses two containers of one name", () => {
    const container = { name: "proxy", image: "i" };
    const resourceSpec = { initContainers: [container], sidecars: [container, container] };
    const spec = "sourceConfig.resourceSpec";
    expect(problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec }))).to.deep.equal([
      `${spec}.sidecars[0].name: repeats the container 'proxy'; names are unique in the pod`,
      `${spec}.sidecars[1].name: repeats the container 'proxy'; names are unique in the pod`,
    ]);
  });

  it("holds the rules of a resource spec though the id of its listener is not known yet", () => {
    const resourceSpec = { minScale: 3, maxScale: 1 };
    const news = withConfig(IMAGE_INPUTS, { listenerId: UNKNOWN, resourceSpec });
    expect(problemsOf(news)).to.have.length(1);
    expect(
      problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec: { ...resourceSpec, cpu: UNKNOWN } })),
    ).to.be.empty;
  });

  it("never reports a problem on secrets or env itself, where the CLI would print the values", () => {
    const { problems } = checkInputs({}, { ...GIT_INPUTS, secrets: "x", env: { "A=B": "c" } }, URN);
    expect(problems.map(({ property }) => property)).to.have.members(["", "env.A=B"]);
  });

  it("lets unknown values pass, whatever they stand for", () => {
    expect(UNKNOWN).to.equal(runtime.unknownValue);
    expect(problemsOf({ ...GIT_INPUTS, sourceConfig: UNKNOWN, env: UNKNOWN, wait: UNKNOWN })).to.be
      .empty;
    const resourceSpec = {
      volumes: [{ name: UNKNOWN }],
      volumeMounts: [{ name: "a", mountPath: "/" }],
    };
    expect(problemsOf(withConfig(IMAGE_INPUTS, { resourceSpec }))).to.be.empty;
    expect(
      problemsOf({ ...GIT_INPUTS, sourceRevisionConfig: { repoRef: UNKNOWN, graphConfigPath: 7 } }),
    ).to.have.length(1);
  });

  it("refuses a variable that is null, as the URL of another deployment is until the service reports it", () =>
    expect(
      checkInputs({}, { ...GIT_INPUTS, env: { PEER: null } }, URN).problems,
    ).to.have.deep.nested.property("[0].property", "env.PEER"));

  it("suggests the argument that was meant", () =>
    expect(problemsOf({ ...GIT_INPUTS, secret: {} })).to.deep.equal([
      ": unknown argument 'secret'; did you mean secrets?",
    ]));

  it("takes no other members of wait", () =>
    expect(problemsOf({ ...GIT_INPUTS, wait: { untill: "none" } })).to.deep.equal([
      ": unknown argument 'wait.untill'; did you mean wait.until?",
    ]));

  it("takes null for an argument that was not given", () =>
    expect(problemsOf({ ...GIT_INPUTS, name: null, env: null, wait: null })).to.be.empty);

  it("refuses to clear what the service can't clear, unless the deployment is replaced", () => {
    const olds = withConfig(GIT_INPUTS, { installCommand: "npm ci" });
    expect(problemsOf(GIT_INPUTS, { ...olds, name: "a" })).to.have.length(0);
    expect(problemsOf({ ...GIT_INPUTS, name: "a" }, { ...olds, name: "a" })).to.have.length(1);
  });

  it("refuses to clear each field that the service can't clear, and no other", () => {
    const cleared = (inputs: { sourceConfig: object }, members: object) =>
      problemsOf({ ...inputs, name: "a" }, { ...withConfig(inputs, members), name: "a" });
    const reason = "can't be removed, since the service has no way to clear it";
    expect(cleared(IMAGE_INPUTS, { customUrl: "https://a.example.com" })).to.deep.equal([
      `sourceConfig.customUrl: ${reason}; set another URL`,
    ]);
    const [install, build, ...others] = cleared(GIT_INPUTS, {
      installCommand: "a",
      buildCommand: "b",
    });
    expect(install).to.contain(`sourceConfig.installCommand: ${reason}; set`);
    expect(build).to.contain(`sourceConfig.buildCommand: ${reason}; set`);
    expect(others).to.be.empty;
    expect(cleared(IMAGE_INPUTS, { resourceSpec: { cpu: 1 } })).to.be.empty;
    expect(cleared(GIT_INPUTS, { buildOnPush: true })).to.be.empty;
  });

  it("refuses to remove the last variable where the service can't, unless the deployment is replaced", () => {
    const named = { ...GIT_INPUTS, name: "a" };
    const problemsOn = (dialect: DialectName, news: Props, olds: Props) =>
      checkInputs(olds, news, URN, { ...CLOUD, dialect }).problems.map(({ reason }) => reason);
    for (const kind of ["env", "secrets"]) {
      const olds = { ...named, [kind]: { A: "1" } };
      const none = { ...named, env: {}, secrets: {} };
      expect(problemsOn("agentserver", none, olds)).to.be.empty;
      const [reason] = problemsOn("langsmith", none, olds);
      expect(reason).to.contain("the last variable can't be removed (A)");
      expect(problemsOn("langsmith", { ...named, env: {} }, { ...olds, name: "b" })).to.be.empty;
      // As the engine asks for `--replace`.
      expect(problemsOn("langsmith", { ...named, env: {} }, {})).to.be.empty;
      expect(problemsOn("langsmith", { ...named, env: { B: "1" } }, olds)).to.be.empty;
    }
  });

  it("refuses a commit as a ref, and says how it is deployed", () => {
    const commit = "0123456789abcdef0123456789abcdef01234567";
    const repoRef = { ...GIT_INPUTS.sourceRevisionConfig, repoRef: commit };
    expect(problemsOf({ ...GIT_INPUTS, sourceRevisionConfig: repoRef })).to.deep.equal([
      `sourceRevisionConfig.repoRef: '${commit}' is a commit, and the service builds a branch or a tag; tag the commit and write 'refs/tags/<name>'`,
    ]);
  });

  it("takes a rollback only where a failure is waited for and no push overtakes it", () => {
    const rollback = { ...GIT_INPUTS, onFailure: "rollback" };
    expect(problemsOf(rollback)).to.be.empty;
    expect(problemsOf({ ...IMAGE_INPUTS, onFailure: "rollback" })).to.be.empty;
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, buildOnPush: true };
    expect(problemsOf({ ...rollback, sourceConfig })).to.deep.equal([
      "onFailure: can't be rollback together with buildOnPush: the next push would undo it",
    ]);
    expect(problemsOf({ ...rollback, wait: { until: "none" } })).to.deep.equal([
      "onFailure: can't be rollback together with wait.until none",
    ]);
    expect(problemsOf({ ...GIT_INPUTS, onFailure: "explode" })).to.deep.equal([
      "onFailure: must be one of keep, rollback",
    ]);
  });

  const OWN = "PATH PORT MOUNT_PREFIX".split(" ");
  // Variables that the public service's own command line client does not send.
  const PREDEFINED = `LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT
    LANGSMITH_PROJECT LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY
    LANGGRAPH_HOST_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI
    LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT
    LANGSMITH_TENANT_ID LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID
    LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON LOG_DICT_TRACEBACKS REDIS_URI
    LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME
    LANGGRAPH_CLOUD_LICENSE_KEY LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM
    LSD_ENV LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`.split(/\s+/);

  const ON_THE_CLOUD =
    "is one that the service's own client does not send to the cloud; the service may refuse it or set its own value";
  const ELSEWHERE = "replaces the one that agent servers set themselves";

  for (const [where, settings, why] of [
    ["in the contract's dialect", { ...CLOUD, dialect: "agentserver" }, ELSEWHERE],
    ["on the public service's cloud", { ...CLOUD, dialect: "langsmith" }, ON_THE_CLOUD],
    [
      "on a self-hosted installation",
      { ...CLOUD, dialect: "langsmith", isSelfHosted: true },
      ELSEWHERE,
    ],
  ] as const)
    it(`warns of each pre-defined variable ${where}, and refuses only what the platform sets`, () => {
      const env = Object.fromEntries([...OWN, ...PREDEFINED, "MINE"].map((name) => [name, "x"]));
      const { problems, warnings } = checkInputs({}, { ...IMAGE_INPUTS, env }, URN, settings);
      expect(problems.map(({ property }) => property)).to.have.members(
        OWN.map((name) => `env.${name}`),
      );
      expect(warnings.filter((warning) => warning.startsWith("variable"))).to.have.members(
        PREDEFINED.map((name) => `variable ${name} ${why}`),
      );
    });

  it("warns of fields that are not to be used, and of a size that is reserved twice", () => {
    const { warnings } = checkInputs(
      {},
      withConfig(IMAGE_INPUTS, { resourceSpec: { executorCpu: 1, cpu: 2 } }),
      URN,
    );
    expect(warnings).to.deep.equal([
      'resourceSpec.executorCpu is marked "do not use" by the service',
      "resourceSpec.cpu 2 is reserved twice: queueCpu defaults to the same value",
    ]);
    const sized = withConfig(IMAGE_INPUTS, { resourceSpec: { cpu: 2, queueCpu: 0.5 } });
    expect(checkInputs({}, sized, URN).warnings).to.be.empty;
  });

  it("warns of what a change brings, and not again of what was there before", () => {
    const sized = (members: object) => withConfig(IMAGE_INPUTS, { resourceSpec: members });
    const warningsOf = (news: Props, olds: Props) => checkInputs(olds, news, URN).warnings;
    expect(warningsOf(sized({ cpu: 2, executorCpu: 1 }), sized({ cpu: 2, executorCpu: 1 }))).to.be
      .empty;
    expect(
      warningsOf(sized({ cpu: 3, executorCpu: 1 }), sized({ cpu: 2, executorCpu: 1 })),
    ).to.deep.equal(["resourceSpec.cpu 3 is reserved twice: queueCpu defaults to the same value"]);
    expect(warningsOf(sized({ cpu: 2 }), sized({ cpu: 2, queueCpu: 1 }))).to.have.length(1);
    const env = (...names: string[]) => ({
      ...GIT_INPUTS,
      env: Object.fromEntries(names.map((name) => [name, "x"])),
    });
    expect(warningsOf(env("POSTGRES_URI", "LSD_ENV"), env("POSTGRES_URI"))).to.deep.equal([
      "variable LSD_ENV replaces the one that agent servers set themselves",
    ]);
  });

  it("warns of a git source on a self-hosted installation, which the service may not offer", () => {
    const hosted = { ...CLOUD, baseUrl: "https://agents.example.com/api-host", isSelfHosted: true };
    expect(checkInputs({}, GIT_INPUTS, URN, hosted).warnings).to.deep.equal([
      "source git_host is available on the cloud only, and https://agents.example.com/api-host is a self-hosted installation; use external_container if the control plane refuses it",
    ]);
    expect(checkInputs({}, GIT_INPUTS, URN, CLOUD).warnings).to.be.empty;
    expect(checkInputs({}, IMAGE_INPUTS, URN, hosted).warnings).to.be.empty;
  });

  it("warns of an image outside a self-hosted installation, unless a listener places it", () => {
    const warningsOf = (inputs: Props, baseUrl = CLOUD.baseUrl) =>
      checkInputs({}, inputs, URN, { ...CLOUD, baseUrl }).warnings;
    expect(warningsOf(IMAGE_INPUTS)).to.deep.equal([
      "source external_container is available for self-hosted deployments only, and no listenerId places it on a cluster of yours; set agentserver:selfHosted if https://control.example.com is a self-hosted installation",
    ]);
    const listenerId = "55555555-5555-4555-8555-555555555555";
    expect(warningsOf(withConfig(IMAGE_INPUTS, { listenerId }))).to.be.empty;
    expect(warningsOf(IMAGE_INPUTS, "http://127.0.0.1:8123")).to.be.empty;
  });

  it("warns of a name of more than 63 characters, of an image's of more than 21", () => {
    const named = (inputs: object, name: string) =>
      checkInputs({}, { ...inputs, name }, URN).warnings;
    expect(named(GIT_INPUTS, "a".repeat(64))).to.deep.equal([
      "name has 64 characters; Kubernetes and DNS take at most 63",
    ]);
    expect(named(IMAGE_INPUTS, "a".repeat(22))).to.deep.equal([
      "name has 22 characters; self-hosted installations are reported to fail with more than 21",
    ]);
    expect(named(GIT_INPUTS, "a".repeat(63))).to.be.empty;
    expect(named(IMAGE_INPUTS, "a".repeat(21))).to.be.empty;
    expect(named(IMAGE_INPUTS, UNKNOWN)).to.be.empty;
    expect(named({ ...IMAGE_INPUTS, source: UNKNOWN }, "a".repeat(22))).to.be.empty;
  });

  it("keeps hidden inputs and marks a derived name", () => {
    const { props: inputs } = checkInputs({}, { ...GIT_INPUTS, __urn: URN }, URN).declared;
    expect(inputs).to.include({ __urn: URN, __nameDerived: true });
    expect(
      checkInputs({}, { ...GIT_INPUTS, name: "given" }, URN).declared.props,
    ).not.to.have.property("__nameDerived");
  });
});
