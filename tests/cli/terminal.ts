import type { Terminal } from "../../cli/terminal/terminal";

/** A terminal that keeps what is printed, and answers questions. */
export interface TestTerminal extends Terminal {
  readonly printed: { out: string; err: string };
  readonly questions: string[];
  /** The standard output, read as lines of JSON. */
  json(): unknown[];
  lines(): string[];
}

/** Makes such a terminal, without colours and with nobody to answer unless said otherwise. */
export function testTerminal(
  options: { answer?: string; columns?: number; hasColours?: boolean } = {},
): TestTerminal {
  const { answer, columns = 80, hasColours = false } = options;
  const printed = { out: "", err: "" };
  const questions: string[] = [];
  return {
    printed,
    questions,
    columns,
    hasColours,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
    progress: () => undefined,
    ask(question) {
      questions.push(question);
      return Promise.resolve(answer);
    },
    json: () => linesOf(printed.out).map((line): unknown => JSON.parse(line)),
    lines: () => linesOf(printed.out),
  };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
