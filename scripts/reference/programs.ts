/** A program in a description of the schema. */
type Program = Readonly<Record<"language" | "text", string>>;

/** A description without its programs. */
export function textBeforePrograms(description: string): string {
  return description.replace(/\{\{%[^]*/, "").trim();
}

/** The programs of a description, one for each language. */
export function programsIn(description: string): Program[] {
  const fences = description.matchAll(/```(\w+)\n([^]*?)\n```/g);
  return [...fences].map(([, language = "", text = ""]) => ({ language, text }));
}

/** Lines of code in Markdown. */
export function fenced({ language, text }: Program): string[] {
  return [`\`\`\`${language}`, text, "```", ""];
}
