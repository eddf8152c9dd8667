import { hasUnknown, type Props, sameValue, UNKNOWN, valueAt } from "../inputs/props";

/** Fields that the service never changes: another value is another listener. */
const IMMUTABLE = ["computeType", "computeId"] as const;

/** Names of all inputs. */
export const INPUT_NAMES = [...IMMUTABLE, "computeConfig"] as const;

export const NAMESPACES = "computeConfig.k8sNamespaces";

/** The immutable fields that a change touches; an unknown value is no change that anybody knows of. */
export function changedImmutable(olds: Props, news: Props): string[] {
  return IMMUTABLE.filter((name) => news[name] !== UNKNOWN && !sameValue(olds[name], news[name]));
}

/** The declared namespaces; undefined where none are declared, or they are not known yet. */
export function namespacesOf(props: Props): string[] | undefined {
  const namespaces = valueAt(props, NAMESPACES);
  return Array.isArray(namespaces) && !hasUnknown(namespaces) ? namespaces.map(String) : undefined;
}

/** Namespaces by what happens to them; in which order they stand means nothing. */
export function namespaceChanges(
  before: readonly string[],
  after: readonly string[],
): { readonly added: string[]; readonly removed: string[] } {
  return {
    added: after.filter((namespace) => !before.includes(namespace)),
    removed: before.filter((namespace) => !after.includes(namespace)),
  };
}

export function sameNamespaces(left: readonly string[], right: readonly string[]): boolean {
  const { added, removed } = namespaceChanges(left, right);
  return added.length + removed.length === 0;
}
