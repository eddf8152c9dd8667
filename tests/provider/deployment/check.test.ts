import { expect } from "chai";
import { runtime } from "@pulumi/pulumi";
import { checkInputs } from "../../../provider/deployment/check";
import type { DialectName } from "pulumi-agentserver/sdk";
import type { CheckedAgainst } from "../../../provider/deployment/declared/warnings";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { GIT_INPUTS, IMAGE_INPUTS, sized, URN, withConfig, withSource } from "../../support/inputs";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { isBranch } from "../../../provider/deployment/service/revision-source";
import { PLATFORM_VARIABLES, PREDEFINED_VARIABLES } from "../../../shared/reserved-names";

const problemsOf = (news: Props, olds: Props = {}) =>
  checkInputs(olds, news, URN).problems.map(({ property, reason }) => `${property}: ${reason}`);
const warningsOf = (news: Props, olds: Props = {}, settings?: CheckedAgainst) =>
  checkInputs(olds, news, URN, settings).warnings;
const CLOUD: CheckedAgainst = {
  dialect: "agentserver",
  baseUrl: "https://control.example.com",
  isSelfHosted: false,
};
const git = (members: object) => withConfig(GIT_INPUTS, members);
const image = (members: object) => withConfig(IMAGE_INPUTS, members);
const ref = withSource;
const ON_FAILURE = { onFailure: "rollback" };
const ROLLBACK = { ...GIT_INPUTS, ...ON_FAILURE };
const REFERENCE = { name: "A", secretName: "s", secretKey: "k" };
const MOUNTED = { volumeMounts: [{ name: "a", mountPath: "/" }] };
const TURNED = { minScale: 3, maxScale: 1 };
const PUSHED = git({ buildOnPush: true });
const referring = (secretReferences: object[], inputs: object = IMAGE_INPUTS) => ({
  ...inputs,
  secretReferences,
});
const IN_AGENTS = { listenerConfig: { k8sNamespace: "agents" } };

const wordsOf = (text: string) => text.trim().split(/\s+/);

describe("deployment check", () => {
  const right: [string, Props][] = [
    ["a git repository", GIT_INPUTS],
    ["an image", IMAGE_INPUTS],
    ["an internal image", { source: "internal_container" }],
    ["a rollback", ROLLBACK],
    ["a rollback of an image", { ...IMAGE_INPUTS, ...ON_FAILURE }],
    ["null for what is not given", { ...GIT_INPUTS, name: null, env: null, wait: null }],
    ["unknown values", { ...GIT_INPUTS, sourceConfig: UNKNOWN, env: UNKNOWN, wait: UNKNOWN }],
    ["a mount of an unknown volume", sized({ ...MOUNTED, volumes: [{ name: UNKNOWN }] })],
    ["a size beside a part that is not known", sized({ ...TURNED, cpu: UNKNOWN })],
    ["a namespace with a listener that is not known", image({ ...IN_AGENTS, listenerId: UNKNOWN })],
    ["a namespace that is not known", image({ listenerConfig: { k8sNamespace: UNKNOWN } })],
    ["a listener's empty configuration", image({ listenerConfig: {} })],
  ];
  for (const [what, inputs] of right)
    it(`finds nothing wrong with ${what}`, () => expect(problemsOf(inputs)).to.be.empty);

  const COMMIT = "sourceRevisionConfig.repoCommitSha";
  const SHA = "0123456789abcdef0123456789abcdef01234567";
  const OF_COMMIT = ref({ repoCommitSha: SHA });
  const { sourceConfig } = PUSHED;
  const sourceRevisionConfig = { ...IMAGE_INPUTS.sourceRevisionConfig, repoCommitSha: SHA };
  const UNTIL_NONE = { until: "none" };
  const TWICE = "secretReferences: has A, which is set twice";
  const wrong: [string, Props][] = [
    ["source: must be one of git_host, external_container", { source: "zip" }],
    ["source: can't be internal_source, an upload", { source: "internal_source" }],
    ["sourceConfig.listenerId: can't be set for the source git_host", git({ listenerId: "q" })],
    ["sourceConfig.buildOnPush: can't be set for the source", image({ buildOnPush: true })],
    ["sourceConfig.listenerConfig: can't be set for the source git_host", git(IN_AGENTS)],
    ["sourceConfig.listenerConfig.k8sNamespace: needs sourceConfig.listenerId", image(IN_AGENTS)],
    [": unknown argument 'secret'; did you mean secrets?", { ...GIT_INPUTS, secret: {} }],
    [": unknown argument 'wait.untill'; did you mean", { ...GIT_INPUTS, wait: { untill: "none" } }],
    ["sourceRevisionConfig.graphConfigPath: ", ref({ repoRef: UNKNOWN, graphConfigPath: 7 })],
    ["sourceRevisionConfig.graphConfigPath: is required", ref({ graphConfigPath: "" })],
    ["smokeCheck.apiKey: begins or", { ...GIT_INPUTS, smokeCheck: { apiKey: "CANARY\n" } }],
    ["onFailure: can't be rollback together with buildOnPush", { ...PUSHED, ...ON_FAILURE }],
    ["onFailure: can't be rollback together with wait", { ...ROLLBACK, wait: UNTIL_NONE }],
    ["onFailure: must be one of keep, rollback", { ...GIT_INPUTS, onFailure: "explode" }],
    [TWICE, { ...referring([REFERENCE]), env: { A: "1" } }],
    [TWICE, { ...referring([REFERENCE]), secrets: { A: "1" } }],
    [TWICE, referring([REFERENCE, REFERENCE])],
    ["secretReferences: can't be set for the source", referring([REFERENCE], GIT_INPUTS)],
    ["secretReferences[0].secretName: is required", referring([{ name: "A", secretKey: "k" }])],
    ["secretReferences[0].secretKey: is required", referring([{ name: "A", secretName: "s" }])],
    [`${COMMIT}: must be the id of a commit in full`, ref({ repoCommitSha: "0123abc" })],
    [`${COMMIT}: can't be set together with buildOnPush`, { ...OF_COMMIT, sourceConfig }],
    [`${COMMIT}: can't be set together with wait.until none`, { ...OF_COMMIT, wait: UNTIL_NONE }],
    [`${COMMIT}: can't be set for the source`, { ...IMAGE_INPUTS, sourceRevisionConfig }],
    ["sourceConfig.resourceSpec.cpu: must be at least 0.1", sized({ cpu: 0.06 })],
    ["sourceConfig.resourceSpec.cpu: must be at most 8", sized({ cpu: 8.01 })],
    ["sourceConfig.resourceSpec.sidecars[0].image: ", sized({ sidecars: [{ name: "a" }] })],
    ["sourceConfig.resourceSpec.maxScale: ", image({ listenerId: UNKNOWN, resourceSpec: TURNED })],
  ];
  for (const [problem, inputs] of wrong)
    it(`refuses ${JSON.stringify(inputs)}: ${problem}`, () => {
      const [found = "", ...others] = problemsOf(inputs);
      expect(found.slice(0, problem.length)).to.equal(problem);
      expect(found).not.to.contain("CANARY");
      expect(others).to.be.empty;
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

  const forms: [string, (text: string) => Props, string, string[], string[]][] = [
    [
      "an image",
      (imageUri) => ({ ...IMAGE_INPUTS, sourceRevisionConfig: { imageUri } }),
      "sourceRevisionConfig.imageUri: must be a container image such as",
      ["a b", "https://registry.example.com/a", " a"],
      ["a", "a:1", "localhost:5000/a/b:1", `registry.example.com/a@sha256:${"0".repeat(64)}`],
    ],
    [
      "a path of the configuration",
      (graphConfigPath) => ref({ graphConfigPath }),
      "sourceRevisionConfig.graphConfigPath: must be a path inside the repository",
      ["/langgraph.json", "../langgraph.json", "apps/../../langgraph.json", ".."],
      ["langgraph.json", "apps/support/langgraph.json", "./a..b/langgraph.json"],
    ],
    [
      "a repository's URL",
      (repoUrl) => git({ repoUrl }),
      "sourceConfig.repoUrl: must be a URL such as https://git.example.com/acme/support.git or git@git.example.com:acme/support.git, with %20 for a space",
      [
        "https://a.example.com/a b",
        ...wordsOf("support a.example.com/a ./a /a a@b https:// https:///"),
      ],
      wordsOf(`ssh://git@git.example.com/a.git git+ssh://git@git.example.com/a.git
        git@git.example.com:acme/a@2.git git+https@git.example.com:a@b:c.git file:///srv/git/a.git
        xhttp://git@git.example.com/a.git https://git.example.com/@acme/a.git http://git/a
        https://git.example.com:8443/a.git?at=a@b`),
    ],
    [
      "a custom URL, whatever else is unknown",
      (customUrl) => image({ customUrl, listenerId: UNKNOWN }),
      "sourceConfig.customUrl: must be a URL such as",
      ["support.example.com", "ssh://support.example.com", "https://", ""],
      ["https://support.example.com/agent"],
    ],
  ];
  for (const [what, inputsWith, problem, malformed, wellFormed] of forms)
    it(`refuses ${what} that is not one, and takes those that are`, () => {
      for (const text of malformed) {
        const [found, ...others] = problemsOf(inputsWith(text));
        expect(found, text).to.contain(problem);
        expect(others, text).to.be.empty;
      }
      for (const text of wellFormed) expect(problemsOf(inputsWith(text)), text).to.be.empty;
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
    const found = (resourceSpec: Props) => problemsOf(sized(resourceSpec));
    for (const one of mistakes) {
      expect(found(one), JSON.stringify(one)).to.have.lengthOf(1);
      for (const other of mistakes)
        expect(found({ ...one, ...other }), JSON.stringify([one, other])).to.have.members([
          ...new Set([...found(one), ...found(other)]),
        ]);
    }
  });

  it("refuses what an update can't do, unless the deployment is replaced, or an unknown value may replace it", () => {
    const before = { ...git({ installCommand: "npm ci" }), name: "support" };
    const removed = { ...GIT_INPUTS, name: "support" };
    expect(problemsOf(removed, before)).to.have.lengthOf(1);
    expect(problemsOf(GIT_INPUTS, before)).to.be.empty;
    expect(problemsOf({ ...removed, name: UNKNOWN }, before)).to.be.empty;
    expect(problemsOf({ ...removed, __replaceOnChanges: ["*"] }, before)).to.be.empty;
    expect(problemsOf(withConfig(removed, { integrationId: UNKNOWN }), before)).to.be.empty;
  });

  it("takes what newer versions of the public service know in their dialect alone", () => {
    const news = { ...git({ deploymentType: "dev_zero" }), displayName: "Support" };
    const inDialect = (dialect: DialectName) =>
      checkInputs({}, news, URN, { ...CLOUD, dialect }).problems;
    expect(inDialect("langsmith")).to.be.empty;
    const found = inDialect("agentserver").map(({ property, reason }) => `${property} ${reason}`);
    expect(found.join("\n")).to.match(
      /^displayName .*needs the dialect langsmith, and the setting is agentserver.*\nsourceConfig.deploymentType 'dev_zero' needs the dialect langsmith.*$/,
    );
    expect(problemsOf(news), "without usable settings").to.be.empty;
  });

  it("refuses variables without a string as value, and says of one without a value what it would do", () => {
    const variables = { GOOD: "", "": "1", "A=B": "1", NUMBER: 3, GONE: null };
    const reasons = (kind: string) => [
      `${kind}.'': is not a valid environment variable name`,
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
    ...wordsOf(`https://u:CANARY@git.example.com/a.git https://CANARY@git.example.com/a.git
      HTTP://CANARY@git.example.com https://u:CANARY@x@git.example.com/a.git
      ssh://git:CANARY@git.example.com/a.git u:CANARY@git.example.com/a.git
      git:CANARY:x@git.example.com:a.git`),
    "https://u:CANARY with spaces@git.example.com/a.git",
    "  https://CANARY@git.example.com/a.git",
  ])
    it(`refuses credentials in a repository's URL and does not repeat them: ${repoUrl}`, () => {
      const [problem, ...others] = problemsOf(git({ repoUrl }));
      expect(others).to.be.empty;
      expect(problem)
        .to.match(/^sourceConfig.repoUrl: holds credentials, .*integrationId/)
        .and.not.contain("CANARY");
    });

  it("refuses credentials in the URL to serve at, likewise", () => {
    const problems = problemsOf(image({ customUrl: "https://u:CANARY@support.example.com" }));
    expect(problems).to.have.length(1);
    expect(problems[0])
      .to.match(/^sourceConfig.customUrl: holds credentials, .*: remove them$/)
      .and.not.contain("CANARY");
  });

  it("rounds cores half up", () => {
    const cores = { cpu: 0.25, cpuLimit: 0.75, queueCpu: 0.15, dbCpuLimit: 1.25 };
    expect(checkInputs({}, sized(cores), URN).declared.props["sourceConfig"]).to.deep.equal({
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
    const at = "sourceConfig.resourceSpec.";
    expect(problemsOf(sized(resourceSpec))).to.have.members([
      `: unknown argument '${at}cpus'; did you mean ${at}cpu?`,
      `: unknown argument '${at}volumes[0].emptydir'; did you mean ${at}volumes[0].emptyDir?`,
      `: unknown argument '${at}sidecars[0].ports'`,
      `: unknown argument '${at}sidecars[0].env[0].vaule'; did you mean ${at}sidecars[0].env[0].value?`,
    ]);
  });

  it("takes the engine's unknown value for its own", () =>
    expect(UNKNOWN).to.equal(runtime.unknownValue));

  it("refuses to clear each field that the service can't clear, and no other", () => {
    const cleared = (inputs: { sourceConfig: object }, members: object) =>
      problemsOf({ ...inputs, name: "a" }, { ...withConfig(inputs, members), name: "a" });
    expect(cleared(IMAGE_INPUTS, { customUrl: "https://a.example.com" }).join()).to.match(
      /^sourceConfig.customUrl: can't be removed.*; set another URL$/,
    );
    expect(cleared(GIT_INPUTS, { installCommand: "a", buildCommand: "b" }).join("\n")).to.match(
      /^sourceConfig.installCommand: can't be removed.*; set .*`npm ci`.*\nsourceConfig.buildCommand: can't be removed.*; set .*`true`$/,
    );
    const served = (customUrl: unknown) => ({
      ...withConfig(IMAGE_INPUTS, { customUrl }),
      name: "a",
    });
    expect(problemsOf(served(5), served("https://a.example.com"))).to.deep.equal([
      "sourceConfig.customUrl: must be a URL such as https://support.example.com",
    ]);
    expect(cleared(IMAGE_INPUTS, { resourceSpec: { cpu: 1 } })).to.be.empty;
    expect(cleared(GIT_INPUTS, { buildOnPush: true })).to.be.empty;
  });

  it("refuses to remove the last variable where the service can't, unless the deployment is replaced", () => {
    const named = { ...GIT_INPUTS, name: "a" };
    for (const kind of ["env", "secrets"]) {
      const olds = { ...named, [kind]: { A: "1" } };
      const none = { ...named, env: {}, secrets: {} };
      for (const [dialect, news, before, words] of [
        ["agentserver", none, olds, /^$/],
        ["langsmith", none, olds, /the last variable can't be removed \(A\)/],
        ["langsmith", { ...named, env: {} }, { ...olds, name: "b" }, /^$/],
        // As the engine asks for `--replace`.
        ["langsmith", { ...named, env: {} }, {}, /^$/],
        ["langsmith", { ...named, env: { B: "1" } }, olds, /^$/],
      ] as const) {
        const { problems } = checkInputs(before, news, URN, { ...CLOUD, dialect });
        expect(problems.map(({ reason }) => reason).join()).to.match(words);
      }
    }
  });

  const [OWN, PREDEFINED] = [[...PLATFORM_VARIABLES], [...PREDEFINED_VARIABLES]];
  const CLIENT_SENDS_NONE = /^is one that .* client does not send/;
  for (const [where, settings, why] of [
    ["in the contract's dialect", {}, /^replaces the one that agent servers set/],
    ["on the public service's cloud", { dialect: "langsmith" }, CLIENT_SENDS_NONE],
    ["on a self-hosted one", { dialect: "langsmith", isSelfHosted: true }, /^replaces the one/],
  ] as const)
    it(`warns of each pre-defined variable ${where}, and refuses only what the platform sets`, () => {
      expect([OWN.length, PREDEFINED.length]).to.deep.equal([3, 38]);
      const env = Object.fromEntries([...OWN, ...PREDEFINED, "MINE"].map((name) => [name, "x"]));
      const against = { ...CLOUD, ...settings };
      const { problems, warnings } = checkInputs({}, { ...IMAGE_INPUTS, env }, URN, against);
      expect(problems.map(({ property }) => property)).to.have.members(
        OWN.map((name) => `env.${name}`),
      );
      const warned = warnings.flatMap((text) =>
        [/^variable (\S+) (.*)/.exec(text) ?? []].filter(([all]) => all),
      );
      expect(warned.map(([, name]) => name)).to.have.members(PREDEFINED);
      for (const [, , text] of warned) expect(text).to.match(why);
    });

  it("warns of fields that are not to be used, and of a size that is reserved twice", () => {
    const [unused, twice, ...others] = warningsOf(sized({ executorCpu: 1, cpu: 2 }));
    expect(unused).to.contain("resourceSpec.executorCpu is marked");
    expect(twice).to.equal(
      "resourceSpec.cpu 2 is reserved twice: queueCpu defaults to the same value",
    );
    expect(others).to.be.empty;
    expect(warningsOf(sized({ cpu: 2, queueCpu: 0.5 }))).to.be.empty;
    expect(warningsOf(sized({ orchestratorCpu: 1 })).join()).to.contain('marked "do not use"');
  });

  it("warns of what a change brings, and not again of what was there before", () => {
    const [one, both] = [{ LSD_ENV: "x" }, { LSD_ENV: "x", POSTGRES_URI: "x" }];
    const before = sized({ cpu: 2, executorCpu: 1 });
    for (const [news, olds, warning] of [
      [before, before, /^$/],
      [sized({ cpu: 3, executorCpu: 1 }), before, /^resourceSpec.cpu 3 is reserved twice.*$/],
      [sized({ cpu: 2 }), sized({ cpu: 2, queueCpu: 1 }), /^.+$/],
      [{ ...GIT_INPUTS, env: both }, { ...GIT_INPUTS, env: one }, /^variable POSTGRES_URI.*$/],
    ] as const)
      expect(warningsOf(news, olds).join("\n")).to.match(warning);
  });

  it("warns of a source that the installation may not offer: git on a self-hosted one, an image without a listener elsewhere", () => {
    const hosted = { ...CLOUD, baseUrl: "https://agents.example.com/api-host", isSelfHosted: true };
    const [ON_CLOUD, ELSEWHERE] = [
      /^source git_host is available on the cloud only, and \S+api-host is a self-hosted.*; use external_container/,
      /^source external_container is available for self-hosted.*no listenerId.*; set agentserver:selfHosted if/,
    ];
    for (const [inputs, settings, expected] of [
      [GIT_INPUTS, hosted, ON_CLOUD],
      [GIT_INPUTS, CLOUD, /^$/],
      [IMAGE_INPUTS, hosted, /^$/],
      [IMAGE_INPUTS, CLOUD, ELSEWHERE],
      [image({ listenerId: "55555555-5555-4555-8555-555555555555" }), CLOUD, /^$/],
      [IMAGE_INPUTS, { ...CLOUD, baseUrl: "http://127.0.0.1:8123" }, /^$/],
    ] as const)
      expect(warningsOf(inputs, {}, settings).join()).to.match(expected);
  });

  it("warns of a name of more than 63 characters, of an image's of more than 21", () => {
    for (const [inputs, name, expected] of [
      [GIT_INPUTS, "a".repeat(64), /^name has 64 characters; Kubernetes .* at most 63$/],
      [IMAGE_INPUTS, "a".repeat(22), /^name has 22 characters; self-hosted .* than 21$/],
      [GIT_INPUTS, "a".repeat(63), /^$/],
      [IMAGE_INPUTS, "a".repeat(21), /^$/],
      [IMAGE_INPUTS, UNKNOWN, /^$/],
      [{ ...IMAGE_INPUTS, source: UNKNOWN }, "a".repeat(22), /^$/],
    ] as const)
      expect(warningsOf({ ...inputs, name }).join()).to.match(expected);
  });

  it("keeps hidden inputs and marks a derived name", () => {
    const hidden = (more: object) =>
      checkInputs({}, { ...GIT_INPUTS, __urn: URN, ...more }, URN).declared.props;
    expect(hidden({})).to.include({ __urn: URN, __nameDerived: true });
    expect(hidden({ sourceConfig: UNKNOWN })).to.include({ name: UNKNOWN, __nameDerived: true });
    expect(hidden({ name: "given" })).not.to.have.property("__nameDerived");
  });
});

describe("a ref by its form", () => {
  for (const [repoRef, follows, problem] of [
    ["main", true, ""],
    ["feature/one", true, ""],
    ["x/refs/tags/v1", true, ""],
    ["refs/tags", true, ""],
    ["x/refs/heads/main", true, ""],
    ["refs/heads", true, ""],
    ["refs/heads/main", true, "is the path of a branch; write 'main'"],
    ["refs/tags/v1", false, "can't be true while repoRef is the tag 'refs/tags/v1'"],
    ["refs/tags/refs/heads/main", false, "can't be true while repoRef is the tag"],
    ["a".repeat(40), true, "is a commit"],
    ["a".repeat(64), true, "is a commit"],
    ["a".repeat(39), true, ""],
    ["a".repeat(41), true, ""],
  ] as const)
    it(`${repoRef}: ${follows ? "a branch" : "a tag"}, ${problem || "and no problem with buildOnPush"}`, () => {
      const { sourceRevisionConfig } = ref({ repoRef });
      const inputs = { ...PUSHED, sourceRevisionConfig };
      const [found, ...others] = checkInputs({}, inputs, URN).problems;
      expect(others).to.deep.equal([]);
      expect(found?.reason ?? "").to.contain(problem);
      expect(found === undefined).to.equal(problem === "");
      expect(isBranch(declaredBy(inputs))).to.equal(follows);
    });
});
