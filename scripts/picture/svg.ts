/** Width of a character and height of a line, in pixels of the picture. */
const CHARACTER = 7.8;
const LINE = 18;
const PADDING = 16;
const BAR = 28;

/** A light and a dark terminal, as the reader's system is. */
const STYLE = `
  .frame { fill: #ffffff; stroke: #d0d7de; }
  .bar { fill: #f6f8fa; }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
  .title { font-weight: 600; }
  .quote { fill: #57606a; }
  .good { fill: #1a7f37; }
  .command { fill: #0550ae; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .frame { fill: #0d1117; stroke: #30363d; }
    .bar { fill: #161b22; }
    text { fill: #e6edf3; }
    .quote { fill: #9198a1; }
    .good { fill: #3fb950; }
    .command { fill: #79c0ff; }
  }
`;

/** An SVG of lines in a terminal's window. `title` is what a screen reader reads. */
export function pictureOf(lines: readonly string[], title: string): string {
  const longest = Math.max(...lines.map((line) => line.length));
  const width = Math.ceil(longest * CHARACTER + 2 * PADDING);
  const height = BAR + lines.length * LINE + PADDING;
  const rows = lines.map((line, at) => {
    const y = BAR + (at + 1) * LINE;
    return `<text x="${PADDING}" y="${y}" class="${classOf(line)}" xml:space="preserve">${escaped(line)}</text>`;
  });
  const dots = [0, 1, 2].map(
    (at) => `<circle cx="${PADDING + 5 + at * 18}" cy="${BAR / 2}" r="5" class="quote"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" class="frame"/>
<rect x="1" y="1" width="${width - 2}" height="${BAR - 1}" rx="8" class="bar"/>
${dots.join("\n")}
${rows.join("\n")}
</svg>
`;
}

function classOf(line: string): string {
  if (line.startsWith("$ ")) return "command";
  if (/^\[\d/.test(line)) return "title";
  if (/✓|^All /.test(line)) return "good";
  return line.includes("│") ? "quote" : "plain";
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
