import { runtime } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import type { Run } from "./run";

/**
 * Sees what an inline program does, since a run may be green though the engine heard nothing of it: the engine then
 * takes the program for an empty one.
 */
export class Witness {
  #seen: "no run" | "running" | "error" | "end" = "no run";
  #declared = 0;

  /** The program, seen. */
  of(program: PulumiFn): PulumiFn {
    return async () => {
      this.#seen = "running";
      this.#declared = 0;
      runtime.registerStackTransformation(() => {
        this.#declared += 1;
        return undefined;
      });
      try {
        const outputs = await program();
        this.#seen = "end";
        return outputs;
      } catch (error) {
        this.#seen = "error";
        throw error;
      }
    };
  }

  /** Gives the run back; throws where it is green and the engine did not register what the program declares. */
  confirm(run: Run): Run {
    const [seen, declared] = [this.#seen, this.#declared];
    this.#seen = "no run";
    if (!run.ok) return run;
    const registered = Object.values(run.resources).filter((step) => step !== "delete").length;
    if (seen === "end" && (declared === 0 || registered > 0)) return run;
    throw new Error(
      `the run is green, but the program ${seen === "end" ? "ended" : `came to: ${seen}`}, declared ${declared} resources, ` +
        `and the engine registered ${registered} of them:\n${run.text}\n${run.messages.join("\n")}`,
    );
  }
}
