// What HTML cannot do: copy, follow a log's end, say that the connection is lost, and show local times.
(() => {
  "use strict";
  const MAX_LINES = 3000;
  const find = (id) => document.getElementById(id);

  /** Whether the reader is at the end of a log. */
  const isAtEnd = (log) => log.scrollHeight - log.scrollTop - log.clientHeight < 40;

  function prepare(root) {
    if (!(root instanceof Element)) return;
    for (const button of root.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
    if (!isLocal()) return;
    for (const time of root.querySelectorAll("time")) toLocal(time);
    for (const zone of root.querySelectorAll("[data-zone]")) zone.textContent = `local, ${ZONE}`;
  }

  const TIMES = "times";
  const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isLocal = () => localStorage.getItem(TIMES) === "local";
  const twoDigits = (number) => String(number).padStart(2, "0");

  /** The page has times of UTC; a view that was replaced has them again. */
  function toLocal(time) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) return;
    const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("-");
    const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
    const clock = parts.map(twoDigits).join(":");
    const isExact = time.textContent.trim() === time.title;
    time.title = `${day} ${clock} ${ZONE}` + time.title.replace(/^[^,]*/, "");
    if (isExact) time.textContent = time.title;
    else if (/^\d\d:\d\d:\d\d/.test(time.textContent))
      time.textContent = clock + time.textContent.trim().slice(8);
  }

  function offerTimes() {
    const button = find("times");
    button.textContent = isLocal() ? "Show UTC" : "Show local times";
    button.hidden = false;
    button.addEventListener("click", () => {
      localStorage.setItem(TIMES, isLocal() ? "UTC" : "local");
      location.reload();
    });
  }

  function follow(log) {
    let follows = true;
    const toEnd = () => log.scrollTo({ top: log.scrollHeight });
    log.addEventListener("scroll", () => (follows = isAtEnd(log)), { passive: true });
    new MutationObserver(() => {
      while (log.children.length > MAX_LINES) log.firstElementChild.remove();
      if (follows) toEnd();
    }).observe(log, { childList: true });
    toEnd();
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const isCopied = await navigator.clipboard.writeText(button.dataset.copy).then(
      () => true,
      () => false,
    );
    find("announcement").textContent = isCopied ? "Copied" : "Not copied";
    button.textContent = isCopied ? "Copied" : "Not copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = document.querySelector("[data-search]");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  const NOT_CONNECTED = "Not connected. Trying again …";
  const connection = (text) => {
    const shown = find("connection");
    if (shown.textContent !== text) shown.textContent = text;
    document.body.classList.toggle("stale", text !== "");
  };
  // A stream that ends without an error is the platform's end too: the next attempt says which.
  document.addEventListener("htmx:sse:error", () => connection(NOT_CONNECTED));
  document.addEventListener("htmx:sse:after:connection", () => connection(""));
  // The extension tries a lost stream again, but not one that never began.
  for (const failed of ["htmx:error", "htmx:response:error"])
    document.addEventListener(failed, ({ target, detail: { ctx } }) => {
      const stream = target.getAttribute?.("hx-sse:connect");
      if (!stream || !ctx) return;
      ctx.swap = "none";
      connection(NOT_CONNECTED);
      setTimeout(() => target.isConnected && htmx.ajax("GET", stream, { source: target }), 1000);
    });
  document.addEventListener("htmx:sse:after:message", (event) => prepare(event.target));

  document.addEventListener("DOMContentLoaded", () => {
    prepare(document.body);
    offerTimes();
    for (const log of document.querySelectorAll("[data-follow]")) follow(log);
  });
})();
