import { quoted } from "../../shared/shell";

/** The shells whose commands are known. */
export const SHELLS = ["sh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** The commands of each shell that set and remove a variable. */
export const COMMANDS: Readonly<
  Record<Shell, { set: (name: string, value: string) => string; unset: (name: string) => string }>
> = {
  sh: {
    set: (name, value) => `export ${name}=${quoted(value)}`,
    unset: (name) => `unset ${name}`,
  },
  fish: {
    set: (name, value) => `set -gx ${name} '${value.replace(/[\\']/g, String.raw`\$&`)}'`,
    unset: (name) => `set -e ${name}`,
  },
  powershell: {
    set: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
    unset: (name) => `Remove-Item -ErrorAction Ignore Env:${name}`,
  },
};
