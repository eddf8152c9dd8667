import { raw } from "hono/html";
import type { Child, FC } from "hono/jsx";
import { assetUrl } from "./assets";
import type { PlatformFacts } from "./parts";
import { Zone } from "./pieces";
import { plain } from "./words";

const SECTIONS = { Deployments: "/", Threads: "/threads", Requests: "/requests" } as const;
export type Section = keyof typeof SECTIONS;

const HTMX = JSON.stringify({
  // Scripts and styles come from files only; the Content-Security-Policy enforces it.
  includeIndicatorCSS: false,
  history: false,
  mode: "same-origin",
  // Readers fold and unfold; a new state of the view leaves that to them.
  morphIgnore: ["data-htmx-powered", "open"],
  extensions: "sse",
  sse: { reconnectDelay: 300, reconnectMaxDelay: 3000 },
});

/** One page with its navigation. */
export const Layout: FC<{
  title: string;
  section?: Section | undefined;
  facts: PlatformFacts;
  children?: Child;
}> = ({ title, section, facts, children }) => (
  <>
    {raw("<!doctype html>")}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX} />
        <title>{title} · Agent servers</title>
        <link rel="icon" href={assetUrl("icon.svg")} />
        <link rel="stylesheet" href={assetUrl("page.css")} />
        <script defer src={assetUrl("htmx.js")} />
        <script defer src={assetUrl("page.js")} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href="/">
            <img src={assetUrl("icon.svg")} alt="" width="20" height="20" />
            Local platform
          </a>
          <nav aria-label="Sections">
            {Object.entries(SECTIONS).map(([name, href]) => (
              <a href={href} aria-current={name === section ? "page" : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <p id="connection" role="status" />
        </header>
        <main id="main" tabindex={-1}>
          {children}
        </main>
        <Foot facts={facts} />
        <p id="announcement" class="visually-hidden" role="status" />
      </body>
    </html>
  </>
);

/** The platform, for people who have several, and the switch of the times. */
const Foot: FC<{ facts: PlatformFacts }> = ({ facts: { url, dataDir, driver, version } }) => (
  <footer>
    <dl>
      <div>
        <dt>Platform</dt>
        <dd>
          <code>{url}</code>
        </dd>
      </div>
      <div>
        <dt>Folder</dt>
        <dd>
          <bdi>{plain(dataDir)}</bdi>
        </dd>
      </div>
      <div>
        <dt>Driver</dt>
        <dd>{driver}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{version}</dd>
      </div>
    </dl>
    <p>
      Times are <Zone />{" "}
      <button type="button" id="times" hidden>
        Show local times
      </button>
    </p>
  </footer>
);

/** A part of a page that follows what happens: it connects to a stream, and each message replaces its content. */
export const Live: FC<{ id: string; stream: string; children?: Child }> = ({
  id,
  stream,
  children,
}) => (
  <div id={id} hx-sse:connect={stream} hx-target={`#${id}`} hx-swap="innerMorph">
    {children}
  </div>
);
