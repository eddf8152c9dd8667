/** Facts of a step, for `--json`. */
type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * The dots that the engine draws while it waits, which can't be drawn over here, and its advice on a stack that goes away
 * with the demo's folder.
 */
const NOISE = /^(@ .*|[\s.]*|(The resources in the stack have|If you want to remove the stack).*)$/;

/** Prints what the demo does, and remembers every character, so that a secret among them would be found. */
export class Report {
  /** The result of each step: its name, whether it held, how long it took, and its facts. */
  readonly steps: Facts[] = [];
  readonly #total: number;
  readonly #signal: AbortSignal;
  #unfinished = "";
  /** Everything that was printed so far. */
  printed = "";

  constructor(total: number, signal: AbortSignal) {
    this.#total = total;
    this.#signal = signal;
  }

  write(text: string): void {
    this.printed += text;
    process.stdout.write(text);
  }

  /** Passes on what another program prints, in pieces of any length, marked as that program's. */
  quote(piece: string): void {
    const lines = `${this.#unfinished}${piece}`.split("\n");
    this.#unfinished = lines.pop() ?? "";
    for (const line of lines) if (!NOISE.test(line)) this.write(`      │ ${line.trimEnd()}\n`);
  }

  say(text: string): void {
    this.write(`${text.replace(/^(?=.)/gm, "      ")}\n`);
  }

  /** Runs one step, prints its title and how it ended, and returns what it comes to. */
  async step<Value extends { readonly facts: Facts }>(
    name: string,
    title: string,
    work: () => Promise<Value>,
  ): Promise<Value> {
    this.#signal.throwIfAborted();
    this.write(`\n[${this.steps.length + 1}/${this.#total}] ${title}\n`);
    const start = performance.now();
    const note = (ok: boolean, facts: Facts): number => {
      const durationMs = Math.round(performance.now() - start);
      this.steps.push({ name, ok, durationMs, ...facts });
      return durationMs;
    };
    try {
      const value = await work();
      this.write(`      ✓ ${(note(true, value.facts) / 1000).toFixed(1)} s\n`);
      return value;
    } catch (error) {
      note(false, {});
      throw error;
    }
  }
}

/** Throws unless something that the demo promises is so. */
export function hold(condition: boolean, promise: string): void {
  if (!condition) throw new Error(`does not hold: ${promise}`);
}
