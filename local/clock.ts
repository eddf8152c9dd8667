/** The platform's time: stages and timestamps follow it, so that a test can move it. */
export interface Clock {
  now(): Date;
  /** Resolves after that much of this clock's time; rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
