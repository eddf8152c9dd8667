import { filterMembers, textOf } from "../../../shared/records";
import { readSettings } from "../../../settings/settings";
import { EXPLICIT, NAMESPACE, VARIABLES } from "../../../settings/source";
import { identityOf } from "../../../shared/urn";
import { type Problem, validateSettings } from "../../arguments/problems";
import { hasUnknown, present, type Props, sameValue, visibleOf } from "../../arguments/props";

/** Members that SDKs and the engine add to the settings. */
const NOT_SETTINGS: readonly string[] = ["version", "pluginDownloadURL"];

/** The arguments of a provider, by the names of the settings without a namespace; a state of the dynamic provider has it. */
function settingsIn(args: Props): Props {
  const named = Object.entries(present(visibleOf(args))).map(([key, value]) => [
    key.startsWith(NAMESPACE) ? key.slice(NAMESPACE.length) : key,
    value,
  ]);
  return filterMembers(Object.fromEntries(named), (_, name) => !NOT_SETTINGS.includes(name));
}

/** The configuration as `readSettings` takes it: strings under the names of the stack configuration. */
export function configurationOf(args: Props, urn: string): Record<string, string> {
  const strings = Object.entries(settingsIn(args)).map(([name, value]) => [
    NAMESPACE + name,
    textOf(value) ?? JSON.stringify(value),
  ]);
  return { ...Object.fromEntries(strings), ...(!isDefaultProvider(urn) && { [EXPLICIT]: "true" }) };
}

/** The engine names its own provider `default`, with the version of an SDK `default_1_2_3`. */
function isDefaultProvider(urn: string): boolean {
  return /^default(_|$)/.test(identityOf(urn).logicalName);
}

/**
 * Every problem of the settings. Where none is given at all each resource reports it, since a thread needs none. What is
 * not known yet is checked by the update.
 */
export function configurationProblems(args: Props, urn: string): readonly Problem[] {
  const config = configurationOf(args, urn);
  if (hasUnknown(settingsIn(args)) || !isConfigured(config)) return [];
  return validateSettings({ settings: () => readSettings(config) }).problems;
}

/** Whether there is any setting, or a variable of the environment for one. */
function isConfigured(config: Readonly<Record<string, string>>): boolean {
  const variables = Object.values(VARIABLES);
  return Object.keys(config).length > 0 || variables.some((name) => process.env[name]);
}

/** Whether a provider's settings change. */
export function settingsDiffer(olds: Props, news: Props): boolean {
  return !sameValue(settingsIn(olds), settingsIn(news));
}
