import type { Terminal } from "../../cli/terminal/terminal";

export type TestTerminal = ReturnType<typeof testTerminal>;

/** A terminal that keeps what is printed, and answers questions: without colours, and with nobody to answer unless said. */
export function testTerminal(
  options: { answer?: string; columns?: number; hasColours?: boolean } = {},
) {
  const { answer, columns = 80, hasColours = false } = options;
  const printed = { out: "", err: "" };
  const questions: string[] = [];
  const terminal: Terminal = {
    columns,
    hasColours,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
    progress: () => undefined,
    ask(question) {
      questions.push(question);
      return Promise.resolve(answer);
    },
  };
  return {
    ...terminal,
    printed,
    questions,
    /** The standard output, read as lines of JSON. */
    json: () => linesOf(printed.out).map((line): unknown => JSON.parse(line)),
    lines: () => linesOf(printed.out),
  };
}

const linesOf = (text: string): string[] =>
  text === "" ? [] : text.replace(/\n$/, "").split("\n");
