import { readFileSync } from "node:fs";
import { z } from "zod";
import { systemClock } from "../../shared/clock";
import { Random } from "./random";

/*
 * Loaded before the native provider: its time is the world's, which the process of the fault run keeps. A sleep lets that
 * time pass there.
 */

const { timeFile, seed, skewMs } = z
  .object({ timeFile: z.string(), seed: z.number(), skewMs: z.number() })
  .parse(JSON.parse(process.env["FAULTS_CLOCK"] ?? "{}"));
const Passed = z.object({ id: z.number() });
const random = new Random(seed);
const sleepers = new Map<number, () => void>();
let count = 0;

process.on("message", (message) => {
  const { id } = Passed.parse(message);
  sleepers.get(id)?.();
  sleepers.delete(id);
});

Object.assign(systemClock, {
  // Time passes there too while this process waits for a response.
  now: () => Number(readFileSync(timeFile, "utf8")) + skewMs,
  random: () => random.next(),
  sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    const id = (count += 1);
    const passed = new AbortController();
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", cancel, { once: true, signal: passed.signal });
      sleepers.set(id, resolve);
      process.send?.({ id, milliseconds });
    }).finally(() => passed.abort());
  },
});
