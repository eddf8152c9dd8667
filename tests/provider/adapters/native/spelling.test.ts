import { expect } from "chai";
import { failureOf } from "../../../../provider/adapters/native/failure";
import { spelled } from "../../../../provider/adapters/native/spelling";
import { InitializationFailure } from "../../../../provider/resource/errors";
import { madeByHalf } from "../../../../lab/faults/wire";

const MISSPELT = "unknown argument 'sourceRevisionConfig.repo_reff'; did you mean a.repoRef?";

describe("the names in a message of the native provider", () => {
  const PYTHON = { PULUMI_RUNTIME_TOOLCHAIN: "uv" };
  const SNAKE = "source_revision_config.repo_reff";
  const IN_BOTH = MISSPELT.replace("reff'", `reff (${SNAKE})'`).replace(
    "Ref?",
    "Ref (a.repo_ref)?",
  );
  const rows: readonly [environment: NodeJS.Dict<string>, text: string, expected: string][] = [
    [PYTHON, MISSPELT, `unknown argument '${SNAKE}'; did you mean a.repo_ref?`],
    [PYTHON, "a.volumes[0].memoryMb must be a number", "a.volumes[0].memory_mb must be a number"],
    [{ PULUMI_RUNTIME_VIRTUALENV: "venv" }, "graphId is required", "graph_id is required"],
    [PYTHON, "c.k8sNamespaces must be an array", "c.k8s_namespaces must be an array"],
    [PYTHON, 'ignoreChanges: "a.repoRef"', 'ignoreChanges: "a.repoRef"'],
    [PYTHON, "env.LOG_LEVEL must be a string", "env.LOG_LEVEL must be a string"],
    [PYTHON, "env.graphId must be a string", "env.graphId must be a string"],
    [PYTHON, "env.notOurs must be a string", "env.notOurs must be a string"],
    [{}, MISSPELT, IN_BOTH],
    [{ PULUMI_RUNTIME_TYPESCRIPT: "false" }, "graphId is required", "graphId is required"],
    [{}, "unknown argument 'repoReff'", "unknown argument 'repoReff'"],
  ];
  for (const [environment, text, expected] of rows)
    it(`are as ${Object.keys(environment)[0] ?? "nothing"} says in: ${text}`, () =>
      expect(spelled(text, environment)).to.equal(expected));

  it("are so in the reasons of what was made by half, which is read first where it was being deleted", () => {
    for (const status of ["READY", "AWAITING_DELETE"]) {
      const failure = failureOf(new InitializationFailure("1", { status }, [MISSPELT]));
      const made = madeByHalf(Object.assign(new Error(MISSPELT), failure));
      expect(made?.getReasonsList()).to.deep.equal([spelled(MISSPELT)]);
      expect(made?.getRefreshBeforeUpdate()).to.equal(status === "AWAITING_DELETE");
    }
  });
});
