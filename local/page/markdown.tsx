import type { FC } from "hono/jsx";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { plain } from "./words";

/** Longer text is shown as it was written: text made for it takes time that grows with the square of its length. */
const LONGEST = 10_000;

/** Deeper nesting is shown as it was written. */
const DEEPEST = 12;

/**
 * Text with Markdown, as people read it. The library only splits it: every string becomes an escaped text of this view, so
 * nothing of it is markup. HTML is shown as written, pictures are links, and links lead to web and mail addresses only.
 */
export const Markdown: FC<{ text: string }> = ({ text }) => {
  const tokens = tokensOf(plain(text));
  if (!tokens) return <p class="text">{plain(text)}</p>;
  return (
    <div class="markdown">
      <Blocks tokens={tokens} depth={0} />
    </div>
  );
};

/** Undefined where the text is too long, or nested too deeply, to be split. */
function tokensOf(text: string): Token[] | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    return undefined;
  }
}

interface TokensProps {
  readonly tokens: readonly Token[] | undefined;
  readonly depth: number;
}

const Blocks: FC<TokensProps> = ({ tokens = [], depth }) => (
  <>
    {tokens.map((token) => (
      <Part token={token} depth={depth + 1} />
    ))}
  </>
);

const Part: FC<{ token: Token; depth: number }> = ({ token, depth }) => {
  if (depth > DEEPEST || !isKnown(token)) return <>{token.raw}</>;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "heading":
      return (
        <p class="title">
          <Blocks tokens={token.tokens} depth={depth} />
        </p>
      );
    case "paragraph":
      return (
        <p dir="auto">
          <Blocks tokens={token.tokens} depth={depth} />
        </p>
      );
    case "code":
      return (
        <pre tabindex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens} depth={depth} />
        </blockquote>
      );
    case "list":
      return <List list={token} depth={depth} />;
    case "table":
      return <Table table={token} depth={depth} />;
    case "strong":
      return (
        <strong>
          <Blocks tokens={token.tokens} depth={depth} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Blocks tokens={token.tokens} depth={depth} />
        </em>
      );
    case "del":
      return (
        <del>
          <Blocks tokens={token.tokens} depth={depth} />
        </del>
      );
    case "link":
    case "image":
      return <Link link={token} depth={depth} />;
    case "checkbox":
      return <>{token.checked ? "☑ " : "☐ "}</>;
    case "escape":
      return <>{token.text}</>;
    case "text":
      return token.tokens ? <Blocks tokens={token.tokens} depth={depth} /> : <>{token.text}</>;
    case "list_item":
    case "html":
      return <>{token.raw}</>;
  }
};

const KNOWN: Readonly<Record<MarkedToken["type"], true>> = {
  space: true,
  def: true,
  hr: true,
  br: true,
  heading: true,
  paragraph: true,
  code: true,
  codespan: true,
  blockquote: true,
  list: true,
  list_item: true,
  table: true,
  strong: true,
  em: true,
  del: true,
  link: true,
  image: true,
  checkbox: true,
  escape: true,
  text: true,
  html: true,
};

/** Extensions add other types; none is used. */
function isKnown(token: Token): token is MarkedToken {
  return Object.hasOwn(KNOWN, token.type);
}

const List: FC<{ list: Tokens.List; depth: number }> = ({ list, depth }) => {
  const items = list.items.map(({ tokens }) => (
    <li dir="auto">
      <Blocks tokens={tokens} depth={depth + 1} />
    </li>
  ));
  const start = Number(list.start);
  return list.ordered ? <ol start={start === 1 ? undefined : start}>{items}</ol> : <ul>{items}</ul>;
};

const Table: FC<{ table: Tokens.Table; depth: number }> = ({ table, depth }) => (
  <div class="scroll" tabindex={0} role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          {table.header.map(({ tokens }) => (
            <th scope="col">
              <Blocks tokens={tokens} depth={depth} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr>
            {row.map(({ tokens }) => (
              <td>
                <Blocks tokens={tokens} depth={depth} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Link: FC<{ link: Tokens.Link | Tokens.Image; depth: number }> = ({ link, depth }) => {
  const isSafe = /^(?:https?:\/\/|mailto:)/i.test(link.href);
  if (!isSafe) return <>{link.raw}</>;
  return (
    <a href={link.href} rel="noreferrer noopener nofollow" title={link.href}>
      {link.type === "image" ? (
        link.text || link.href
      ) : (
        <Blocks tokens={link.tokens} depth={depth} />
      )}
    </a>
  );
};
