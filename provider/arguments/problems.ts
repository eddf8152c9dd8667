import { z } from "zod";
import { printable } from "../../shared/printable";
import { isRecord, recordOf } from "../../shared/records";
import { type Settings, SettingsError } from "../../settings/settings";
import { camelPath } from "./casing";
import { hasKnownMembers } from "./decode";
import { hasUnknown, present, type Props, UNKNOWN, valueAt, visibleOf } from "./props";
import { reasonOf } from "./reasons";
import { unknownKeys } from "../../shared/unknown-keys";

/** A problem of one argument, in the user's spelling; without a property it is the whole resource's. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
}

/** A rule across arguments of ours. The wire's rules are in its schema. */
export interface Rule extends Problem {
  /** Paths of the values that it is about. It counts when all of them are known. */
  readonly of: readonly string[];
  readonly isBroken: (inputs: Props) => boolean;
}

/** Problems with others, but for those about a property that has one already. */
export function withOthers(problems: readonly Problem[], others: readonly Problem[]): Problem[] {
  const isNew = ({ property }: Problem): boolean =>
    property === "" || !problems.some((problem) => problem.property === property);
  return [...problems, ...others.filter(isNew)];
}

/** The rule that a property is not set, or not together with another one. */
export function excluded(property: string, reason: string, other = property): Rule {
  const of = [property, other];
  const isBroken = (inputs: Props) => of.every((path) => valueAt(inputs, path) !== undefined);
  return { of, property, reason, isBroken };
}

/**
 * Every problem of the inputs at once. An unknown value of whatever type is right, null is absence, and our hidden inputs
 * are not arguments.
 */
export function problemsOf(
  schema: z.core.$ZodType,
  inputs: Props,
  rules: readonly Rule[] = [],
): Problem[] {
  const args = present(visibleOf(inputs));
  const issues = (z.safeParse(schema, args).error?.issues ?? []).flatMap(innerIssues);
  const ofSchema = issues
    .filter((issue) => isKnown(args, issue))
    .map((issue) => ({ property: pathOf(issue.path), reason: reasonOf(issue) }));
  return distinct([
    ...unknownMembers(schema, "", args).map((reason) => ({ property: "", reason })),
    ...withOthers(ofSchema, numberProblems(args)),
    ...rules
      .filter(
        ({ of, isBroken }) =>
          of.every((path) => !hasUnknown(valueAt(args, path))) && isBroken(args),
      )
      .map(({ property, reason }) => ({ property, reason })),
  ]);
}

/** JSON has no such numbers, so that null would arrive in their place. */
function numberProblems(value: unknown, path: readonly PropertyKey[] = []): Problem[] {
  if (typeof value === "number" && !Number.isFinite(value))
    return [{ property: pathOf(path), reason: `is ${value}, which JSON does not have` }];
  if (Array.isArray(value)) return value.flatMap((item, at) => numberProblems(item, [...path, at]));
  return Object.entries(recordOf(value)).flatMap(([name, member]) =>
    numberProblems(member, [...path, name]),
  );
}

/** The issues of an object that may also be something else, as `true`, are those of its members. */
function innerIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const members = issue.errors.find((issues) => issues.every(({ path }) => path.length > 0));
  if (members === undefined) return [issue];
  return members.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** A rule of the wire on a nested value is met twice: there, and with the rules of what holds it. */
function distinct(problems: readonly Problem[]): Problem[] {
  const texts = problems.map(({ property, reason }) => `${property} ${reason}`);
  return problems.filter((_, at) => texts.indexOf(texts[at] ?? "") === at);
}

/** A message for each member that the schema does not have, at any depth: it would be lost on the way. */
function unknownMembers(schema: z.core.$ZodType, path: string, value: unknown): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unknownMembers(schema.unwrap(), path, value);
  if (schema instanceof z.ZodUnion)
    return schema.options
      .filter((option) => option instanceof z.ZodObject)
      .flatMap((option) => unknownMembers(option, path, value));
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, at) => unknownMembers(schema.element, `${path}[${at}]`, item));
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return [];
  const { shape } = schema;
  const members = Object.entries(present(value));
  const prefix = path && `${path}.`;
  return [
    ...(hasKnownMembers(schema)
      ? unknownKeys(
          members.map(([name]) => name),
          Object.keys(shape),
          { prefix },
        )
      : []),
    ...members.flatMap(([name, member]) => {
      const known = shape[name];
      return known === undefined ? [] : unknownMembers(known, `${prefix}${name}`, member);
    }),
  ];
}

/** An issue counts when all it rests on is known: the value itself, and for a rule across values what holds them. */
function isKnown(args: Props, { code, path }: z.core.$ZodIssue): boolean {
  if (code === "custom" && hasUnknown(holderOf(args, path))) return false;
  let value: unknown = args;
  for (const key of path) {
    if (value === UNKNOWN) return false;
    if (typeof value !== "object" || value === null) return true;
    value = Reflect.get(value, key);
  }
  return value !== UNKNOWN;
}

/** The object of a rule across values: the one whose members, or items of whose lists, break it; at least an argument. */
function holderOf(args: Props, path: readonly PropertyKey[]): unknown {
  const end = path.findIndex((part) => typeof part === "number");
  const names = end === -1 ? path : path.slice(0, end);
  const holder = names.slice(0, Math.max(1, names.length - 1));
  return holder.length === 0 ? args : valueAt(args, holder.join("."));
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

/**
 * A problem as the engine gets it, with the argument's path in the text and none beside it: the CLI would print the value at
 * that path, a secret in clear, and `<nil>` for a path that it does not find.
 */
export function problemText({ property, reason }: Problem): string {
  return printable(`${property} ${reason}`.trim());
}

/** The problem of a value that an update would have to remove: null leaves things as they are on the service. */
export function cannotBeRemoved(property: string, insteadOfRemoving: string): Problem {
  const reason = `can't be removed, since the service has no way to clear it; ${insteadOfRemoving}`;
  return { property, reason };
}

/** Throws where there are problems: inputs that a new provider's preview did not know come without a check. */
export function refuse(task: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const texts = problems.map(({ property, reason }) =>
    property ? `${property}: ${reason}` : reason,
  );
  throw new Error(`${task}: ${texts.join("; ")}`);
}

/** A request's body in the wire's shape; throws its problems like `refuse`. */
export function bodyOf<Body>(schema: z.ZodType<Body>, body: unknown, task: string): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  refuse(
    task,
    issues.map((issue) => ({ property: camelPath(issue.path), reason: reasonOf(issue) })),
  );
  throw parsed.error;
}

/** The settings, or where they can't be used every problem of them. */
export function validateSettings({ settings }: { readonly settings: () => Settings }): {
  problems: Problem[];
  settings?: Settings;
} {
  try {
    return { problems: [], settings: settings() };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { problems: error.problems.map((reason) => ({ property: "", reason })) };
  }
}
