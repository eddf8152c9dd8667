import { readFileSync } from "node:fs";

/** An entry of the list. */
export interface Tenant {
  /** The name of the tenant's stack. */
  readonly name: string;
  /** The tag to run: `v1.4.0`. */
  readonly version: string;
  /** `dev` or `prod`. */
  readonly deploymentType: string;
}

/** Reads the list. Throws one error with the problems of all entries. */
export function readTenants(file: string): Tenant[] {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list)) throw new Error(`read ${file}: must be an array of tenants`);
  const problems: string[] = [];
  const tenants = list.map((entry: unknown, place): Tenant => {
    const read = (member: string, pattern: RegExp): string => {
      const value: unknown = Object(entry)[member];
      if (typeof value === "string" && pattern.test(value)) return value;
      problems.push(`[${place}].${member} must match ${String(pattern)}`);
      return "";
    };
    return {
      name: read("name", /^[a-z][a-z0-9-]*$/),
      version: read("version", /^[\w.-]+$/),
      deploymentType: read("deploymentType", /^(dev|prod)$/),
    };
  });
  const names = tenants.map(({ name }) => name);
  const repeated = names.filter((name, place) => names.indexOf(name) !== place);
  problems.push(...repeated.map((name) => `tenant ${name} is in the list twice`));
  if (problems.length > 0) throw new Error(`read ${file}: ${problems.join("; ")}`);
  return tenants;
}
