import type { Child, FC } from "hono/jsx";
import { age, count, type Label, plain, shortId } from "./words";

/** A status: a mark, a colour and words. */
export const Badge: FC<{ label: Label; title?: string | undefined }> = ({ label, title }) => (
  <span class={`badge ${label.tone}`} title={title}>
    {label.text}
  </span>
);

/** A time; `text` is what stands for it, with the exact time in the title. */
export const Moment: FC<{ at: string | number; text?: (ms: number) => string }> = ({
  at,
  text,
}) => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>–</span>;
  const iso = date.toISOString();
  const exact = iso.replace("T", " ").slice(0, 19) + " UTC";
  return (
    <time datetime={iso} title={exact}>
      {text?.(date.getTime()) ?? exact}
    </time>
  );
};

/** The age of a time. */
export const Age: FC<{ at: string | number; now: number }> = ({ at, now }) => (
  <Moment at={at} text={(ms) => age(now - ms)} />
);

/** The zone of the times on a page; the switch in its foot changes both. */
export const Zone: FC = () => <span data-zone>UTC</span>;

/** The end of an id, which is not broken; the whole is in its title. */
export const ShortId: FC<{ id: string }> = ({ id }) => (
  <code class="id" title={plain(id)}>
    {plain(shortId(id))}
  </code>
);

/** A word up to this length is not broken, so that a flag or a name stays one. */
const LONGEST_WHOLE = 28;

/** A command, an address or an image, which breaks between words, before `@` and after a slash rather than anywhere. */
export const Breakable: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(" ").map((word, index) => (
      <>
        {index > 0 && " "}
        {word.length <= LONGEST_WHOLE ? (
          <span class="word">{word}</span>
        ) : (
          word.split(/(?<=\/)|(?=@)/).map((part) => (
            <>
              {part}
              <wbr />
            </>
          ))
        )}
      </>
    ))}
  </>
);

/** A command or an address with a button that copies it. */
export const Copyable: FC<{ text: string; what: string }> = ({ text, what }) => (
  <span class="copyable">
    <code>
      <Breakable text={text} />
    </code>
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`} hidden>
      Copy
    </button>
  </span>
);

/** A message in place of an empty list. */
export const Empty: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** The cells of a list by their titles. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Child>>;

/** A list with a row for each item. The roles keep it a table for screen readers, also where small screens lay it out otherwise. */
export function ColumnTable<Item>({
  label,
  columns,
  items,
  kind,
  classes = { [Object.keys(columns)[0] ?? ""]: "name" },
  rowIdOf,
}: {
  label: string;
  columns: Columns<Item>;
  items: readonly Item[];
  kind?: string;
  /** Of cells, by their titles. @default the first one is the name */
  classes?: Readonly<Record<string, string>>;
  rowIdOf?: (item: Item) => string;
}) {
  return (
    <table class={kind ? `list ${kind}` : "list"} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {Object.keys(columns).map((title) => (
            <th role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <tr role="row" id={rowIdOf?.(item)}>
            {Object.entries(columns).map(([title, cell]) => {
              const own = classes[title];
              return (
                <td role="cell" class={own} data-label={own === "name" ? undefined : title}>
                  {cell(item)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A search field that works without a script. */
export const Search: FC<{
  label: string;
  name: string;
  value: string;
  placeholder: string;
  children?: Child;
}> = ({ label, name, value, placeholder, children }) => (
  <form class="search" role="search" method="get" aria-label={label}>
    {children}
    <input
      type="search"
      name={name}
      value={value}
      placeholder={placeholder}
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      data-search
    />
    <button type="submit">Search</button>
  </form>
);

/** Links of which one is the current view. */
export const Tabs: FC<{
  label: string;
  tabs: readonly { name: string; href: string; isCurrent: boolean }[];
}> = ({ label, tabs }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, href, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? "page" : undefined}>
        {name}
      </a>
    ))}
  </nav>
);

/** Links to the pages before and after one, and its place among all. */
export const Pages: FC<{
  offset: number;
  /** Of the page. */
  size: number;
  /** Undefined where it is not known. */
  total?: number | undefined;
  hasNext: boolean;
  hrefAt: (offset: number) => string;
}> = ({ offset, size, total, hasNext, hrefAt }) => {
  if (offset === 0 && !hasNext) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 && (
        <a rel="prev" href={hrefAt(Math.max(offset - size, 0))}>
          Newer
        </a>
      )}
      {total !== undefined && (
        <span>
          {offset >= total
            ? "none"
            : `${count(offset + 1)}–${count(Math.min(offset + size, total))}`}{" "}
          of {count(total)}
        </span>
      )}
      {hasNext && (
        <a rel="next" href={hrefAt(offset + size)}>
          Older
        </a>
      )}
    </nav>
  );
};

/** A path with a query of the values that are set. */
export function link(path: string, query: Readonly<Record<string, string | number | undefined>>) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text ? `${path}?${text}` : path;
}
