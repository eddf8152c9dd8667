import { expect } from "chai";
import { normalizeBaseUrl } from "pulumi-agentserver/sdk";

describe("sdk base URL", () => {
  const same = [
    ["https://Control.Example.com/", "https://control.example.com"],
    ["https://control.example.com/sub/path//", "https://control.example.com/sub/path"],
    ["http://localhost:8123", "http://localhost:8123"],
    ["http://127.0.0.1:8123/", "http://127.0.0.1:8123"],
    ["http://[::1]:8123", "http://[::1]:8123"],
  ] as const;
  for (const [given, normal] of same)
    it(`makes ${normal} of ${given}`, () => expect(normalizeBaseUrl(given)).to.equal(normal));

  const wrong = [
    ["control.example.com", "is not a valid URL"],
    ["ftp://control.example.com", "has the scheme 'ftp'"],
    ["localhost:8441", "has no scheme; write http://localhost:8441"],
    ["control.example.com:8443/api", "has no scheme; write https://control.example.com:8443"],
    ["http://control.example.com", "plain http"],
    ["https://user:word@control.example.com", "user name or password"],
    ["https://control.example.com/?a=b", "a query"],
    ["https://control.example.com/?", "a query"],
    ["https://control.example.com/#a", "a fragment"],
    ["https://control.example.com/#", "a fragment"],
  ] as const;
  for (const [given, problem] of wrong)
    it(`refuses ${given}`, () =>
      expect(() => normalizeBaseUrl(given)).to.throw(TypeError, problem));

  it("names every problem at once and repeats no password", () => {
    const normalize = () => normalizeBaseUrl("http://user:word@example.com/?a#b");
    expect(normalize).to.throw(/plain http.*password.*query.*fragment/);
    expect(normalize).not.to.throw(/word@/);
  });

  it("puts a self-hosted control plane under /api-host, once", () => {
    for (const [given, expected] of [
      ["", "/api-host"],
      ["/api-host/", "/api-host"],
      ["/x/api-host", "/x/api-host"],
      ["/my-api-host", "/my-api-host/api-host"],
      ["/api-host/x", "/api-host/x/api-host"],
      ["/api-hosts", "/api-hosts/api-host"],
    ])
      expect(normalizeBaseUrl(`https://a.example.com${given}`, { selfHosted: true })).to.equal(
        `https://a.example.com${expected}`,
      );
  });

  it("reads a path of a million slashes once", () => {
    const slashes = "/".repeat(1_000_000);
    expect(normalizeBaseUrl(`https://a.example.com${slashes}x${slashes}`)).to.equal(
      `https://a.example.com${slashes}x`,
    );
  });

  it("takes plain http to another host when it is allowed", () =>
    expect(normalizeBaseUrl("http://a.example.com", { allowInsecureHttp: true })).to.equal(
      "http://a.example.com",
    ));
});
