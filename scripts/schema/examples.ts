import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../project";

/** The folder of the examples of other languages than TypeScript, by the name of their subject. */
const EXAMPLES = join(REPOSITORY, "examples/reference");

/** A description with its examples, as Pulumi's registry and its code generators read them. */
export function withExamples(description: string, name: string, typescript: string): string {
  const program = (extension: string): string =>
    readFileSync(join(EXAMPLES, `${name}.${extension}`), "utf8").trim();
  return [
    description,
    "{{% examples %}}\n## Example Usage\n{{% example %}}",
    `\`\`\`typescript\n${typescript}\n\`\`\``,
    `\`\`\`python\n${program("py")}\n\`\`\``,
    `\`\`\`yaml\n${program("yaml")}\n\`\`\``,
    "{{% /example %}}\n{{% /examples %}}",
  ].join("\n\n");
}
