import type { FC } from "hono/jsx";
import { isRecord } from "../../shared/records";
import { shorten } from "../../shared/shorten";
import { count, plain } from "./words";

/** A value is written in one line up to this length. Characters. */
const SHORT = 72;
const LONGEST_TEXT = 4000;
/** Levels that are unfolded at first. */
const OPEN = 2;
/** Deeper values, and members after this many, are left out: the JSON beside the view has them. */
const DEEPEST = 40;
const MOST_MEMBERS = 2000;

/** A value as JSON whose records and lists fold. */
export const Json: FC<{ value: unknown }> = ({ value }) => (
  <div class="json">
    <Node value={value ?? null} depth={0} budget={{ left: MOST_MEMBERS }} />
  </div>
);

interface NodeProps {
  readonly name?: string | undefined;
  readonly value: unknown;
  readonly depth: number;
  readonly budget: { left: number };
}

const Node: FC<NodeProps> = ({ name, value, depth, budget }) => {
  budget.left -= 1;
  const members = membersOf(value);
  const short = members === undefined || members.length === 0 ? jsonOf(value) : shortJson(value);
  if (members === undefined || short !== undefined)
    return (
      <p>
        <Name name={name} />
        <code class={typeof value}>{plain(short ?? "")}</code>
      </p>
    );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const shown = depth < DEEPEST ? members.slice(0, Math.max(budget.left, 0)) : [];
  return (
    <details open={depth < OPEN}>
      <summary>
        <Name name={name} />
        <code>{open}</code>
        <small>
          {count(members.length)} <code>{close}</code>
        </small>
      </summary>
      {shown.map(([key, member]) => (
        <Node name={key} value={member} depth={depth + 1} budget={budget} />
      ))}
      {shown.length < members.length && (
        <p class="hint">{count(members.length - shown.length)} more are not shown</p>
      )}
    </details>
  );
};

const Name: FC<{ name: string | undefined }> = ({ name }) =>
  name === undefined ? null : <span class="key">{plain(name)}: </span>;

/** Undefined for what has none. */
function membersOf(value: unknown): [name: string | undefined, value: unknown][] | undefined {
  if (Array.isArray(value)) return value.map((member: unknown) => [undefined, member]);
  return isRecord(value) ? Object.entries(value) : undefined;
}

/** Undefined where the value has more members than one line shows; long ones are not written out to see that. */
function shortJson(value: unknown): string | undefined {
  if ((membersOf(value) ?? []).some(([, member]) => membersOf(member) !== undefined))
    return undefined;
  const json = jsonOf(value);
  return json.length <= SHORT ? json : undefined;
}

function jsonOf(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "null", LONGEST_TEXT);
}
