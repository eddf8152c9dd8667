import { expect } from "chai";
import * as forms from "../../../provider/arguments/forms";
import { deploymentArguments } from "../../../provider/deployment/declared/argument-table";
import { listenerArguments } from "../../../provider/listener/diff";
import { oauthProviderArguments } from "../../../provider/oauth-provider/diff";

/** Texts that name the same, and others that do not, of each type of value. */
const TYPES: readonly {
  readonly type: string;
  readonly form: forms.Form;
  readonly same: readonly (readonly string[])[];
  readonly other: readonly (readonly [string, string])[];
}[] = [
  {
    type: "the URL of a repository",
    form: forms.repository,
    same: [
      [
        "https://git.example.com/acme/Support.git",
        "https://git.example.com/acme/Support",
        "https://git.example.com/acme/Support/",
        "https://git.example.com/acme/Support.git/",
        "HTTPS://GIT.example.com:443/acme/Support.git",
      ],
      [
        "git@git.example.com:acme/support.git",
        "git@GIT.example.com:/acme/support",
        "ssh://git@git.example.com/acme/support.git",
        "SSH://git@Git.example.com:22/acme/support/",
      ],
      ["git://git.example.com:9418/a", "git://git.example.com/a.git"],
      ["http://git.example.com:80/a", "http://git.example.com/a"],
      ["file:///srv/git/a.git", "file:///srv/git/a"],
      ["https://git.example.com", "https://GIT.example.com/"],
    ],
    other: [
      ["https://git.example.com/acme/support", "https://git.example.com/acme/Support"],
      ["https://git.example.com/a", "http://git.example.com/a"],
      ["https://git.example.com/a", "ssh://git.example.com/a"],
      ["https://git.example.com/a", "https://git.example.com:8443/a"],
      ["https://git.example.com/a", "https://git.example.org/a"],
      ["ssh://git@git.example.com/a", "ssh://Git@git.example.com/a"],
      ["ssh://git@git.example.com:22/a", "ssh://git@git.example.com:2222/a"],
      ["https://git.example.com/a", "https://git.example.com/a//"],
      ["https://git.example.com/a.git", "https://git.example.com/a.git.git"],
      ["https://git.example.com/.git", "https://git.example.com/"],
      ["not a URL/", "not a URL"],
    ],
  },
  {
    type: "a container image",
    form: forms.image,
    same: [
      "x x:latest library/x docker.io/x docker.io/library/x:latest index.docker.io/x".split(" "),
      ["acme/x:1", "docker.io/acme/x:1", "Docker.io/acme/x:1"],
      ["Registry.example.com:5000/x", "registry.example.com:5000/x:latest"],
      ["localhost/x", "localhost/x:latest"],
      [`x@sha256:${"a".repeat(64)}`, `docker.io/library/x@sha256:${"a".repeat(64)}`],
    ],
    other: [
      ["x", "x:1"],
      ["x:1", "x:1.0"],
      ["x:a", "x:A"],
      ["acme/x", "x"],
      ["registry.example.com/x", "x"],
      ["registry.example.com/x", "registry.example.com/library/x"],
      ["registry.example.com:5000/x", "registry.example.com/x"],
      [`x@sha256:${"a".repeat(64)}`, `x@sha256:${"b".repeat(64)}`],
      [`x@sha256:${"a".repeat(64)}`, "x"],
    ],
  },
  {
    type: "a ref",
    form: forms.ref,
    same: [["main", "refs/heads/main"]],
    other: [
      ["main", "Main"],
      ["v1", "refs/tags/v1"],
      ["main", "heads/main"],
    ],
  },
  {
    type: "a path in a repository",
    form: forms.repositoryPath,
    same: [["a/langgraph.json", "./a/langgraph.json", "a//langgraph.json", "a/./langgraph.json"]],
    other: [
      ["langgraph.json", "a/langgraph.json"],
      ["langgraph.json", "Langgraph.json"],
    ],
  },
  {
    type: "a URL",
    form: forms.url,
    same: [["https://a.example.com/auth", "https://A.example.com:443/auth/"]],
    other: [
      ["https://a.example.com/auth", "https://a.example.com/Auth"],
      ["https://a.example.com/auth", "https://a.example.com/auth?a"],
      ["https://a.example.com/auth", "http://a.example.com/auth"],
    ],
  },
  { type: "an id", form: forms.caseless, same: [["aB-1", "Ab-1"]], other: [["a", "b"]] },
];

describe("the canonical form of", () => {
  for (const { type, form, same, other } of TYPES)
    describe(type, () => {
      for (const [first = "", ...others] of same)
        it(`is one for ${first}, however it is written`, () => {
          for (const text of others) expect(form(text), text).to.equal(form(first));
        });
      for (const [one, another] of other)
        it(`differs for ${one} and ${another}`, () =>
          expect(form(one)).not.to.equal(form(another)));
    });
});

describe("an argument whose text has several forms", () => {
  it("has the form of its type in the tables, and no other argument has one", () => {
    const formsOf = (rows: readonly { readonly path: string; readonly form?: forms.Form }[]) =>
      rows.flatMap(({ path, form }) => (form === undefined ? [] : [[path, form]]));
    expect(formsOf(deploymentArguments.rows)).to.deep.equal([
      ["sourceConfig.integrationId", forms.caseless],
      ["sourceConfig.repoUrl", forms.repository],
      ["sourceConfig.listenerId", forms.caseless],
      ["sourceRevisionConfig.repoRef", forms.ref],
      ["sourceRevisionConfig.graphConfigPath", forms.repositoryPath],
      ["sourceRevisionConfig.imageUri", forms.image],
      ["sourceConfig.customUrl", forms.url],
    ]);
    expect(formsOf(listenerArguments.rows)).to.deep.equal([["computeId", forms.caseless]]);
    expect(formsOf(oauthProviderArguments.rows)).to.deep.equal([
      ["providerId", forms.caseless],
      ["authUrl", forms.url],
      ["tokenUrl", forms.url],
    ]);
  });
});
