/** A program in a description of the schema. */
export interface Program {
  readonly language: string;
  readonly text: string;
}

/** A description without its programs. */
export function textBeforePrograms(description: string): string {
  return description.split("{{%")[0]?.trim() ?? "";
}

/** The programs of a description, one for each language. */
export function programsIn(description: string): Program[] {
  return [...description.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].map(
    ([, language = "", text = ""]) => ({ language, text }),
  );
}

/** Lines of code in Markdown. */
export function fenced({ language, text }: Program): string[] {
  return [`\`\`\`${language}`, text, "```", ""];
}
