import type { Driver, DriverOptions } from "./driver";

/** A driver that users choose by its name. */
interface DriverEntry {
  readonly name: string;
  /** Completes a sentence that starts with the name. */
  readonly description: string;
  /** Loads the driver's module first, so that a platform loads one driver only. */
  readonly create: (options: DriverOptions) => Promise<Driver>;
}

/** Every driver. */
export const DRIVERS = [
  {
    name: "process",
    description: "runs agent servers",
    create: async (options) => (await import("./process.js")).startProcessDriver(options),
  },
  {
    name: "simulated",
    description: "runs nothing and only lets time pass",
    create: async (options) => (await import("./simulated.js")).simulatedDriver(options),
  },
] as const satisfies readonly DriverEntry[];

export type DriverName = (typeof DRIVERS)[number]["name"];
export const DRIVER_NAMES = DRIVERS.map(({ name }) => name);

/** Creates the driver of this name. */
export async function createDriver(name: DriverName, options: DriverOptions): Promise<Driver> {
  const entry = DRIVERS.find((driver) => driver.name === name);
  if (!entry) throw new RangeError(`unknown driver '${name}'; use ${DRIVER_NAMES.join(" or ")}`);
  return entry.create(options);
}
