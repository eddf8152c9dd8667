import type { Driver, DriverOptions } from "./driver";

/** The drivers that users choose by name. A platform loads the module of one alone. */
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
] as const satisfies readonly {
  readonly name: string;
  /** Completes a sentence that starts with the name. */
  readonly description: string;
  readonly create: (options: DriverOptions) => Promise<Driver>;
}[];

export type DriverName = (typeof DRIVERS)[number]["name"];
export const DRIVER_NAMES = DRIVERS.map(({ name }) => name);

export async function createDriver(name: DriverName, options: DriverOptions): Promise<Driver> {
  const entry = DRIVERS.find((driver) => driver.name === name);
  if (!entry) throw new RangeError(`unknown driver '${name}'; use ${DRIVER_NAMES.join(" or ")}`);
  return entry.create(options);
}
