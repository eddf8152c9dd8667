import { messageOf } from "../../../shared/errors";
import { Random } from "../random";
import type { Interruption } from "./interruption";
import type { RealPlatform } from "./platform";
import { firstWishes } from "./program";
import type { FrontEndName } from "./stack";
import { type CommandName, COMMANDS, RealTrial } from "./trial";

/** The result of one run. */
export interface RealReport {
  readonly seed: number;
  readonly frontEnd: FrontEndName;
  readonly resources: number;
  readonly command: CommandName;
  /** Undefined where the run ended before it. */
  readonly interruption: Interruption | undefined;
  /** The request at which the command was interrupted; undefined where it ended before. */
  readonly at: string | undefined;
  /** The number of `up` or `destroy` until everything was at rest. */
  readonly repairs: number;
  readonly seconds: number;
  readonly violations: readonly string[];
  readonly history: readonly string[];
}

/** Interrupts one command of a stack, repairs what it left, and compares state and service. */
export async function runReal(
  platform: RealPlatform,
  seed: number,
  givenFrontEnd?: FrontEndName,
): Promise<RealReport> {
  const random = new Random(seed);
  const drawn = random.pick(["dynamic", "native"]);
  const frontEnd = givenFrontEnd ?? drawn;
  const wishes = firstWishes(random);
  const command = random.pick(COMMANDS);
  const startMs = performance.now();
  const trial = await RealTrial.start({ platform, seed, random, frontEnd, wishes });
  try {
    await trial.run(command);
  } catch (error) {
    trial.violations.push(`the run itself fails: ${messageOf(error)}`);
  } finally {
    await trial.close();
  }
  const seconds = (performance.now() - startMs) / 1000;
  const { interruption, at, repairs, violations, history } = trial;
  const outcome = { interruption, at, repairs, seconds, violations, history };
  return { seed, frontEnd, resources: wishes.length, command, ...outcome };
}
