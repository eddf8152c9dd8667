import { readFileSync } from "node:fs";
import { expect } from "chai";
import { z } from "zod";
import { DIALECTS, dialectOf } from "../../sdk/dialect";
import { OAuthTokensList } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import { rowsOf } from "../repository/rows";
import { startAuthorizationServer } from "../support/authorization-server";
import { anImageDeployment, usePlatform } from "../support/platform";
import { runs } from "../support/tiers";
import { check, SEED } from "./check";
import { ServedDocument } from "./document";
import {
  aListener,
  anyRequest,
  aProvider,
  Operation,
  plainRequest,
  type AnyRequest,
  type Known,
} from "./requests";

const STAGE_SECONDS = 36_000;
const RUNS = runs("nightly") ? 200 : 20;

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** Those of docs/contract.md. */
const OPERATIONS = rowsOf(readFileSync("docs/contract.md", "utf8"))
  .map(({ subject }) => subject)
  .filter((subject) => /^[A-Z]+ \/v[12]\/[^?]*$/.test(subject));

for (const dialectName of DIALECTS)
  describe(`the operations that the control plane describes, in dialect ${dialectName} (seed ${SEED})`, () => {
    const dialect = dialectOf(dialectName);
    // No stage ends by itself, so that a revision can be interrupted.
    const t = usePlatform({ dialect: dialectName, stageSeconds: STAGE_SECONDS });
    let document: unknown;
    let served: ServedDocument;
    let known: Known;
    let authorization: Awaited<ReturnType<typeof startAuthorizationServer>>;
    before(async () => {
      authorization = await startAuthorizationServer("s");
      document = (await t.request("GET", "/openapi.json")).body;
      served = new ServedDocument(document);
    });
    after(() => authorization.close());

    let made = 0;
    /** A name that nothing has. */
    const next = () => `n-${(made += 1)}`;
    const create = async (path: string, body: object, id: string) => {
      return String(recordOf((await t.request("POST", path, body)).body)[id]);
    };

    /** A token, by the whole way through a browser. */
    const aToken = async () => {
      const [auth_url, token_url] = [`${authorization.url}/a`, `${authorization.url}/t`];
      const server = { client_id: "client", client_secret: "s", auth_url, token_url };
      const provider = { ...aProvider(next()), ...server, uses_pkce: true };
      const id = await create("/v2/auth/providers", provider, "provider_id");
      const url = await create("/v2/auth/authenticate", { provider: id, scopes: [] }, "url");
      expect((await fetch(authorization.agree(url))).status).to.equal(200);
      const { body } = await t.request("GET", `/v2/auth/tokens?provider_id=${id}`);
      return OAuthTokensList.parse(body)[0]?.id ?? "";
    };

    /** A few of each kind, and deployments that are deployed and that are not. */
    beforeEach(async () => {
      const deployed = await t.create(anImageDeployment());
      await t.platform.admin.advanceClock(4 * STAGE_SECONDS);
      const deployments = [await t.create(), await t.create(anImageDeployment()), deployed];
      const listeners = [t.listenerId];
      const providers: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        listeners.unshift(await create("/v2/listeners", aListener(next()), "id"));
        providers.push(await create("/v2/auth/providers", aProvider(next()), "provider_id"));
      }
      const tokens = [await aToken(), await aToken()];
      known = {
        ...t,
        dialect,
        document,
        ids: {
          deployment_id: deployments.map(({ id }) => id),
          revision_id: deployments.map(({ latest_revision_id }) => latest_revision_id ?? ""),
          listener_id: listeners,
          integration_id: [t.integrationId],
          provider_id: providers,
          token_id: tokens,
          auth_id: ["one-that-nobody-started"],
        },
      };
    });

    const named = (operation: string) => {
      const [method = "", contractPath = ""] = operation.split(" ");
      return { method, path: dialect.fromContract.path(contractPath) };
    };
    const send = (operation: string, { ids, query, body, headers }: AnyRequest) => {
      const { method, path } = named(operation);
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? ""));
      const search = new URLSearchParams([...query]).toString();
      return t.request(method, `${filled}?${search}`, body, { ...headers });
    };

    it("are those of docs/contract.md", () => {
      const described = Object.entries(Document.parse(document).paths).flatMap(([path, all]) =>
        Object.keys(all).map((method) => ({ method: method.toUpperCase(), path })),
      );
      expect(described).to.have.deep.members(OPERATIONS.map(named));
    });

    for (const operation of OPERATIONS)
      it(`answer as described to any of ${RUNS} requests: ${operation}`, async () => {
        const { method, path } = named(operation);
        const described = Document.parse(document).paths[path]?.[method.toLowerCase()];
        const expectDescribed = async (request: AnyRequest) => {
          const answer = await send(operation, request);
          expect(answer.status, JSON.stringify(answer.body)).to.be.below(500);
          expect(served.problemsOf(method, path, answer), JSON.stringify(answer)).to.deep.equal([]);
          return answer.status;
        };
        const plain = plainRequest(operation, Operation.parse(described), known, next());
        // No state of an authentication is known from outside.
        const expected = operation.includes("/callback/") ? [400] : [200, 201, 204];
        expect(await expectDescribed(plain)).to.be.oneOf(expected);
        await check(RUNS, anyRequest(operation, Operation.parse(described), known), async (any) => {
          await expectDescribed(any);
        });
      });
  });
