import { usesField } from "../../../sdk/schema/source-rules";
import { recordOf } from "../../../shared/records";
import { Unknown } from "../../arguments/decode";
import { present, type Props } from "../../arguments/props";
import { deploymentArguments } from "./argument-table";
import type { Declared, Values } from "./declared";
import { withoutDefaults } from "./resource-spec";

const NOTHING = deploymentArguments.decode({});

/**
 * The declarable part of what is known of a deployment: not what the service alone sets, as the commit of a ref
 * and the URL of a deployment from git.
 */
export function declarable(declared: Declared): Declared {
  return deploymentArguments.withValues(declared, withoutForeign(declared));
}

/** The same of values. */
export function declarableValues<Some extends Values>(values: Some): Some {
  return { ...values, ...withoutForeign(values) };
}

function withoutForeign({ source }: Values): Partial<Values> {
  if (source === undefined || source === Unknown) return {};
  const foreign = deploymentArguments.rows.filter(
    ({ sources }) => sources !== undefined && !sources.includes(source),
  );
  return Object.fromEntries(foreign.map(({ path }) => [path, NOTHING[path]]));
}

/** The inputs of an import, where nothing was declared: without what means the same where it is left out. */
export function importable(observed: Declared): Props {
  const { secrets, secretReferences, sourceConfig, ...rest } = deploymentArguments.withoutDefaults(
    declarable(observed).props,
  );
  const { resourceSpec, ...config } = recordOf(sourceConfig);
  const spec = withoutDefaults(present(recordOf(resourceSpec)));
  return {
    ...rest,
    sourceConfig: { ...config, ...(hasMembers(spec) && { resourceSpec: spec }) },
    ...(hasMembers(secrets) && { secrets }),
    ...(usesField(secretReferences) && { secretReferences }),
  };
}

function hasMembers(value: unknown): boolean {
  return Object.keys(recordOf(value)).length > 0;
}
