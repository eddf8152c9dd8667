import { expect } from "chai";
import { spelled } from "../../../../provider/adapters/native/spelling";

const UNKNOWN =
  "unknown argument 'sourceRevisionConfig.repo_reff'; did you mean sourceRevisionConfig.repoRef?";

describe("the names in a message of the native provider", () => {
  const PYTHON = { PULUMI_RUNTIME_TOOLCHAIN: "uv" };
  const rows: readonly [environment: NodeJS.Dict<string>, text: string, expected: string][] = [
    [
      PYTHON,
      UNKNOWN,
      "unknown argument 'source_revision_config.repo_reff'; did you mean source_revision_config.repo_ref?",
    ],
    [
      PYTHON,
      "sourceConfig.resourceSpec.volumes[0].memoryMb must be a number",
      "source_config.resource_spec.volumes[0].memory_mb must be a number",
    ],
    [{ PULUMI_RUNTIME_VIRTUALENV: "venv" }, "graphId is required", "graph_id is required"],
    [PYTHON, "env.LOG_LEVEL must be a string", "env.LOG_LEVEL must be a string"],
    [PYTHON, "env.notOurs must be a string", "env.notOurs must be a string"],
    [
      {},
      UNKNOWN,
      `${UNKNOWN.slice(0, -1)} (source_revision_config.repo_ref)?`.replace(
        "repo_reff'",
        "repo_reff (source_revision_config.repo_reff)'",
      ),
    ],
    [{ PULUMI_RUNTIME_TYPESCRIPT: "false" }, "graphId is required", "graphId is required"],
    [{}, "unknown argument 'repoReff'", "unknown argument 'repoReff'"],
  ];
  for (const [environment, text, expected] of rows)
    it(`are as ${Object.keys(environment)[0] ?? "nothing"} says in: ${text}`, () =>
      expect(spelled(text, environment)).to.equal(expected));
});
