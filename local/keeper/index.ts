export type { Child, Command, Ending, Environment } from "./child";
export { Keeper } from "./keeper";
export { endLeftovers } from "./leftovers";
