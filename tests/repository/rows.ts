import { schemaEntries, testSentences } from "./references";

const SEPARATOR = /^\|[-| :]+\|$/;

/** The rows of every table in a Markdown text, without the tables' heads: what each is about, and the names of what covers it. */
export function rowsOf(markdown: string) {
  const lines = markdown.split("\n");
  return lines.flatMap((text, index) => {
    const isHead = SEPARATOR.test(lines[index + 1] ?? "");
    if (!text.startsWith("|") || isHead || SEPARATOR.test(text)) return [];
    const cells = text.split("|").slice(1, -1);
    const [subject = ""] = cells;
    return {
      line: index + 1,
      subject: subject.replaceAll("`", "").trim(),
      references: [...(cells.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    };
  });
}

/** Problems of rows: those that nothing covers, and names of things that do not exist. */
export function problemsOf(rows: ReturnType<typeof rowsOf>): string[] {
  const known = new Set(schemaEntries());
  const sentences = new Map<string, readonly string[]>();
  const exists = (reference: string): boolean => {
    const [, path = "", sentence = ""] = /^(\S+\.ts): (.+)$/.exec(reference) ?? [];
    if (path === "") return known.has(reference);
    const said = sentences.get(path) ?? testSentences(path) ?? [];
    sentences.set(path, said);
    return said.includes(sentence);
  };
  return rows.flatMap(({ line, subject, references }) => {
    if (references.length === 0) return `line ${line}, '${subject}': nothing covers it`;
    return references
      .filter((reference) => !exists(reference))
      .map((reference) => `line ${line}, '${subject}': there is no ${reference}`);
  });
}
