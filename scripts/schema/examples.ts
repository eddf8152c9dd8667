import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../project";
import { descriptionOf, exampleOf } from "./comment";
import type { Sources } from "./sources";

/**
 * The description of a resource or function with its examples, as Pulumi's registry and its code generators read them: the
 * one of the declaration, and those of other languages from examples/reference/.
 */
export function describedWithExamples(sources: Sources, name: string): string {
  const symbol = sources.symbolOf(name);
  const program = (extension: string): string =>
    readFileSync(join(REPOSITORY, `examples/reference/${name}.${extension}`), "utf8").trim();
  return [
    descriptionOf(sources, symbol),
    "{{% examples %}}\n## Example Usage\n{{% example %}}",
    `\`\`\`typescript\n${exampleOf(sources, symbol)}\n\`\`\``,
    `\`\`\`python\n${program("py")}\n\`\`\``,
    `\`\`\`yaml\n${program("yaml")}\n\`\`\``,
    "{{% /example %}}\n{{% /examples %}}",
  ].join("\n\n");
}
