import { isReserved } from "../../shared/reserved-names";
import { isEmpty } from "../arguments/props";
import { previewSignal, type RemoteCheck } from "../resource/define-lifecycle";
import { operationOf } from "../resource/operation";
import { declaredBy } from "./declared/declared";
import { describeNames } from "./declared/environment";
import { byName } from "./service/observe";
import { shownVariables } from "./service/shown";

/**
 * The variables that go where a program begins to own them: no state has what it did not own, so that no change names
 * them.
 */
export const variableLosses: RemoteCheck<string> = async (olds, inputs, context) => {
  const { environment, name, adoptExisting } = declaredBy(inputs);
  const begins = isEmpty(olds) ? adoptExisting === true : !declaredBy(olds).environment.isOwned;
  const { isOwned, hasUnknownNames, variables } = environment;
  if (!begins || !isOwned || hasUnknownNames || typeof name !== "string") return [];
  const operation = operationOf(context);
  const options = { signal: previewSignal() };
  const found = await byName(operation, name, options).catch(() => undefined);
  const shown = (found && shownVariables(found)) ?? {};
  const lost = Object.keys(shown).filter(
    (other) => !Object.hasOwn(variables, other) && !isReserved(other),
  );
  return lost.length === 0
    ? []
    : [
        `the service has ${describeNames(lost)} too: with env or secrets set, a change of variables removes what is not declared; declare what is to stay`,
      ];
};
