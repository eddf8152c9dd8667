import { oneLine } from "../../shared/printable";
import { type Colour, coloured, type Terminal } from "./terminal";

/** A cell: text, of which a terminal obeys nothing, and its colour. */
export interface Cell {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

/** A column. */
export interface Column {
  readonly title: string;
  /** The least width where the table is too wide, in characters. @default it keeps its width */
  readonly shortest?: number;
}

const GAP = "  ";

/**
 * The lines of a table, with its titles. Where it is wider than the terminal, columns become narrower, the widest of those
 * that may first, and longer text ends in `…`. So one long name leaves the other columns as they are.
 */
export function tableLines(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, colour: "dim" }));
  const cells = [titles, ...rows].map((row) =>
    row.map(({ text, colour }) => ({ text: oneLine(text), colour })),
  );
  const widths = fittingWidths(terminal.columns, columns, cells);
  return cells.map((row) =>
    row
      .map(({ text, colour }, at) => {
        const width = widths[at] ?? 0;
        const cut = cutTo(text, width);
        const padding = at === row.length - 1 ? "" : " ".repeat(width - lengthOf(cut));
        return coloured(terminal, colour, cut) + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
}

function fittingWidths(
  room: number,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): number[] {
  const widths = columns.map((_, at) =>
    rows.reduce((most, row) => Math.max(most, lengthOf(row[at]?.text ?? "")), 0),
  );
  const total = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  for (let excess = total - room; excess > 0; excess -= 1) {
    const spare = widths.map((width, at) => (width > (columns[at]?.shortest ?? width) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function cutTo(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : text;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
