import { z } from "zod";
import { DeploymentName, Source, SourceConfigRequest } from "../../sdk/schema/deployment";
import { SourceRevisionConfig } from "../../sdk/schema/revision";
import { camelSchema } from "../inputs/camel-schema";
import { type Problem, problemsOf } from "../inputs/problems";
import type { Props } from "../inputs/props";
import { INPUT_NAMES } from "./fields";

const ARGUMENTS = z.object({
  ...Object.fromEntries(INPUT_NAMES.map((name) => [name, z.unknown().optional()])),
  name: DeploymentName.optional(),
  source: Source,
  sourceConfig: camelSchema(SourceConfigRequest).optional(),
  sourceRevisionConfig: camelSchema(SourceRevisionConfig).optional(),
});

/** What the wire's schema says against the inputs; where a value is unknown it has nothing to say yet. */
export function shapeProblems(news: Props): Problem[] {
  return problemsOf(ARGUMENTS, news);
}
