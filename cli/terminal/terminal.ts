import { createInterface } from "node:readline";
import { styleText } from "node:util";
import { codeOf } from "../../shared/errors";
import { oneLine, printable, printableJson } from "../../shared/printable";

/** A colour of a word. */
export type Colour = "green" | "red" | "yellow" | "dim" | "bold";

/** The output of a command, and the input that it reads answers from. */
export interface Terminal {
  /** Takes text for standard output. */
  readonly out: (text: string) => void;
  /** Takes text for standard error. */
  readonly err: (text: string) => void;
  /** Shows what goes on, on a terminal only: the next text replaces it, an empty one removes it. */
  readonly progress: (text: string) => void;
  /** The width of a line, in characters; infinite where nobody looks at it, so that a pipe gets whole lines. */
  readonly columns: number;
  readonly hasColours: boolean;
  /** Asks a question on standard error; undefined where nobody can answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** Of a terminal that does not say. */
const COLUMNS = 80;
const CLEAR_LINE = "\x1b[K";

/** The terminal that this process runs in, or the files and pipes in its place. The process ends when nobody reads on, or the disk is full. */
export function standardTerminal(): Terminal {
  process.stdout.on("error", (error) => {
    if (codeOf(error) === "EPIPE") process.exit();
    TERMINAL.err(`error: cannot write the output: ${error.message}\n`);
    process.exit(1);
  });
  return TERMINAL;
}

const TERMINAL: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${CLEAR_LINE}${printable(text)}`);
  },
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns || COLUMNS : Infinity;
  },
  get hasColours() {
    return process.stdout.isTTY && process.stdout.hasColors();
  },
  ask: (question) => (process.stdin.isTTY ? askPerson(question) : Promise.resolve(undefined)),
};

const INTERRUPTED_EXIT_CODE = 130;

/** The answer; an empty one for the end of input (Ctrl-D). Ctrl-C ends the process. */
function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("SIGINT", () => process.exit(INTERRUPTED_EXIT_CODE));
    lines.once("close", () => resolve(""));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}

/** A text in a colour, where there are colours. */
export function coloured({ hasColours }: Terminal, colour: Colour | undefined, text: string) {
  return hasColours && colour ? styleText(colour, text, { validateStream: false }) : text;
}

/** Prints a line of others' text, of which a terminal obeys nothing. */
export function printLine(terminal: Terminal, text: string): void {
  terminal.out(`${oneLine(text)}\n`);
}

/** Prints a line beside the output. */
export function note(terminal: Terminal, text: string): void {
  terminal.err(`${oneLine(text)}\n`);
}

/** Prints one line of JSON, of which a terminal obeys nothing. */
export function printJson(terminal: Terminal, value: object): void {
  terminal.out(`${printableJson(value)}\n`);
}
