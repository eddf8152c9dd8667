import { isRecord } from "../../../shared/records";
import { type Props, sameValue } from "../../arguments/props";

/** The kind of change of the value at one path. */
export type Change = "add" | "delete" | "update";

/** The paths, as Pulumi writes them, at which two sets of inputs differ. Null and absence are the same. */
export function changesBetween(olds: Props, news: Props): Map<string, Change> {
  return new Map(changesOf("", olds, news));
}

function changesOf(path: string, olds: unknown, news: unknown): [string, Change][] {
  if (sameValue(olds, news)) return [];
  if (isRecord(olds) && isRecord(news)) {
    const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
    return names.flatMap((name) => changesOf(pathOf(path, name), olds[name], news[name]));
  }
  if (Array.isArray(olds) && Array.isArray(news)) {
    const indices = Array.from({ length: Math.max(olds.length, news.length) }, (_, at) => at);
    return indices.flatMap((at) => changesOf(`${path}[${at}]`, olds[at], news[at]));
  }
  return [[path, changeOf(olds ?? undefined, news ?? undefined)]];
}

function changeOf(old: unknown, value: unknown): Change {
  if (old === undefined) return "add";
  return value === undefined ? "delete" : "update";
}

function pathOf(path: string, name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
