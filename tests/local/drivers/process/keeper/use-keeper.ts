import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { later } from "../../../../support/later";

/** A keeper on a folder for each test, which kills what does not end within 0.2 s; it is closed after. */
export function useKeeper(folder: () => string): Keeper {
  let keeper: Keeper | undefined;
  beforeEach(() => void (keeper = new Keeper(folder(), 0.2)));
  afterEach(() => keeper?.close());
  return later(() => keeper);
}
