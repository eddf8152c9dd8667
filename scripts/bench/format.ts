import { summarise, type Figure, type Table } from "./figure";

const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A table for people: each figure as its median, its spread and, where it has one, its goal. */
export function format({ title, rows }: Table): string {
  const names = rows[0]?.figures.map(({ name }) => name) ?? [];
  const lines = [
    [title, ...names],
    ...rows.map(({ name, figures }) => [`  ${name}`, ...figures.map(formatFigure)]),
  ];
  const widths = [title, ...names].map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function formatFigure(figure: Figure): string {
  const { median, min, max, unit, atMost, verdict } = summarise(figure);
  if (Number.isNaN(median)) return "not known here";
  const measured = `${number.format(median)} ${unit} (${number.format(min)}..${number.format(max)})`;
  if (atMost === undefined) return measured;
  return `${measured} ≤ ${number.format(atMost)} ${unit}: ${verdict}`;
}
