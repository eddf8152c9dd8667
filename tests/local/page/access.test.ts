import { createServer } from "node:net";
import { once } from "node:events";
import { expect } from "chai";
import { startLocalPlatform, StartError } from "../../../local";
import { useFolder } from "../children";
import { startTestPlatform, type TestPlatform, usePlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { singleUseLink } from "../../../local/page/keys";
import { usePage } from "./open-page";

describe("local/page/access", () => {
  const t = usePlatform();
  const page = usePage(t);

  it("turns the link into a cookie for this port only, leads away from it at once, and keeps no key of the platform in the link, the cookie or a page", async () => {
    for (const _ of ["first", "again"]) {
      const { status, headers } = await fetch(t.platform.pageUrl ?? "", { redirect: "manual" });
      expect([status, headers.get("location")]).to.deep.equal([303, "/"]);
      expect(headers.get("referrer-policy")).to.equal("no-referrer");
      expect(headers.get("cache-control")).to.equal("no-store");
      const cookie = headers.get("set-cookie") ?? "";
      expect(cookie).to.contain(`agentserver_page_${new URL(page.origin).port}=`);
      expect(cookie).not.to.contain(t.platform.pageUrl?.split("/").at(-1));
      expect(cookie).to.contain("HttpOnly").and.contain("SameSite=Strict").and.contain("Path=/");
    }
    const { body } = await page.get("/requests");
    for (const key of [t.platform.apiKey, t.platform.adminKey])
      for (const text of [t.platform.pageUrl, page.cookie, body]) expect(text).not.to.contain(key);
  });

  it("takes a link for one use once, within its minute, and none with another time; a HEAD does not use it", async () => {
    const { pageUrl = "", adminKey } = t.platform;
    const link = singleUseLink(pageUrl, adminKey, "");
    const later = link.replace(/\d+(?=\.[^.]+$)/, (end) => String(Number(end) + 1));
    const past = singleUseLink(pageUrl, adminKey, "", Date.now() - 61_000);
    // What asks with HEAD before the browser does, leaves the link for that.
    const { headers } = await fetch(link, { method: "HEAD", redirect: "manual" });
    expect(headers.get("set-cookie")).to.equal(null);
    const statuses: number[] = [];
    for (const to of [past, later, link, link])
      statuses.push((await fetch(to, { redirect: "manual" })).status);
    expect(statuses).to.deep.equal([401, 401, 303, 401]);
  });

  it("leads on without a redirect where another site has the link, such as a file: browsers would send no cookie along", async () => {
    const link = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const headers = { ...link, "sec-fetch-site": "cross-site" };
    const found = await page.get(new URL(t.platform.pageUrl ?? "").pathname, { headers });
    expect([found.status, found.headers["refresh"]]).to.deep.equal([200, "0; url=/"]);
    expect(found.headers).to.have.property("set-cookie");
  });

  it("shows nothing without the cookie, nor with a wrong one alone; allows no inline script or style, no frame, and nothing from elsewhere", async () => {
    const { id } = await t.create();
    const [name] = page.cookie.split("=");
    const both = { cookie: `${name}=theirs; ${page.cookie}` };
    expect((await page.get("/", both)).status).to.equal(200);
    const paths = ["/", "/requests", "/threads", "/assets/page.css", "/live/requests", "/none"];
    for (const path of [...paths, `/deployments/${id}`, "/open/wrong"])
      for (const cookie of [undefined, "x=y", `${page.cookie}x`, `${name}=`]) {
        const { status, body } = await page.get(path, { cookie });
        expect([status, path]).to.deep.equal([401, path]);
        expect(body).to.contain("Open the page with its link").and.not.contain(id);
      }
    for (const path of ["/", "/none", "/open/wrong"]) {
      const { headers } = await page.get(path);
      expect(headers["content-security-policy"]).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers["x-content-type-options"]).to.equal("nosniff");
      expect(headers["cross-origin-resource-policy"]).to.equal("same-origin");
    }
  });

  it("answers only what reads, no foreign Host, and no requests that pages of other origins send, the platform's included", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expect((await page.get("/", { method })).status).to.equal(405);
    expect((await page.get("/", { headers: { host: "evil.example" } })).status).to.equal(403);
    const statusOf = async (site: string, mode: string, dest: string) => {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest };
      return (await page.get("/", { headers })).status;
    };
    for (const site of ["cross-site", "same-site"])
      for (const [mode, dest] of Object.entries({
        cors: "empty",
        "no-cors": "script",
        navigate: "iframe",
      }))
        expect(await statusOf(site, mode, dest)).to.equal(403);
    expect(await statusOf("same-site", "navigate", "document")).to.equal(200);
  });

  it("keeps link and cookie over a restart, and has another link for each data folder", async () => {
    const { pageUrl } = t.platform;
    await t.restart();
    expect(t.platform.pageUrl).to.equal(pageUrl);
    expect((await page.get("/")).status).to.equal(200);
    const other = await startTestPlatform();
    await other.close();
    const keyOf = ({ platform }: TestPlatform) => platform.pageUrl?.split("/").at(-1);
    expect(keyOf(other)).not.to.equal(keyOf(t));
  });
});

describe("the port of the page", () => {
  const folder = useFolder();

  const start = (pagePort?: number | false) =>
    startLocalPlatform({ port: 0, dataDir: folder(), driver: "simulated", pagePort });
  /** The port of the page of a platform, which is closed again. */
  const portOf = async (pagePort?: number) => {
    const platform = await start(pagePort);
    await platform.close();
    return Number(new URL(platform.pageUrl ?? "").port);
  };

  it("can be any free one, one of one's own choice, or none at all", async () => {
    const port = await portOf(0);
    expect(await portOf(port)).to.equal(port);
    const none = await start(false);
    expect(none).not.to.have.property("pageUrl");
    await none.close();
  });

  it("is another if that of the last start is in use, and an error if that was asked for", async () => {
    const port = await portOf();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    try {
      expect(await portOf()).to.satisfy((found: number) => found > 0 && found !== port);
      const error = await rejection(start(port));
      expect(error).to.be.instanceOf(StartError);
      expect(error.message).to.contain(`port ${port}: it is in use by another process`);
    } finally {
      other.close();
    }
  });
});
