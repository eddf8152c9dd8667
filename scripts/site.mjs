// `npm run docs`: builds the site in dist/site/ with TypeDoc: the documents in the order of docs/site.json, and the API of
// the package's entry points. Open dist/site/index.html: neither the site nor its search needs a server.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { Application, Converter, JSX, KindRouter } from "typedoc";

const root = join(import.meta.dirname, "..");
const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
const { version } = read("package.json");
const sections = read("docs/site.json");

/** The modules that programs import, by the name of their file. */
const MODULES = {
  "provider/index": "pulumi-agentserver",
  "provider/adapters/native/index": "pulumi-agentserver/native",
  "sdk/index": "pulumi-agentserver/sdk",
  "local/index": "pulumi-agentserver/local",
};

/** The section of each document by its path, in the order in which they are read: the first that names it, or its folder. */
const sectionOf = new Map();
const pathsOf = (entry) =>
  entry.endsWith("/")
    ? readdirSync(join(root, entry))
        .toSorted()
        .map((name) => entry + name)
    : [entry];
for (const [section, entries] of Object.entries(sections))
  for (const path of entries.flatMap(pathsOf))
    if (!sectionOf.has(path)) sectionOf.set(path, section);
const paths = [...sectionOf.keys()];

const app = await Application.bootstrap({
  basePath: root,
  tsconfig: join(root, "tsconfig.json"),
  entryPoints: Object.keys(MODULES).map((path) => join(root, `${path}.ts`)),
  readme: join(root, "README.md"),
  projectDocuments: paths.map((path) => join(root, path)),
  out: join(root, "dist/site"),
  name: `pulumi-agentserver ${version}`,
  sortEntryPoints: false,
  sort: ["source-order"],
  categoryOrder: Object.keys(sections),
  defaultCategory: "Modules",
  navigation: { includeCategories: true, includeFolders: false },
  searchInDocuments: true,
  searchGroupBoosts: { Documents: 40, Properties: 0.1, References: 0.1 },
  customCss: join(root, "docs/site.css"),
  highlightLanguages: ["typescript", "javascript", "python", "yaml", "json", "sh", "toml", "go"],
  router: "documents",
  // `npm run check -- types` does.
  skipErrorChecking: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  hideGenerator: true,
  includeHierarchySummary: false,
  suppressCommentWarningsInDeclarationFiles: true,
  validation: { notExported: false },
  treatWarningsAsErrors: true,
});

const documents = new Map();
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
  // Documents come in the order of the option.
  const path = paths[documents.size];
  document.frontmatter.category = sectionOf.get(path);
  document.name = TITLE.exec(document.content[0].text)[1];
  documents.set(document, path);
});
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.children)
    module.name = MODULES[`${module.name}/index`] ?? module.name;
  // TypeDoc writes the title of this page itself.
  project.readme[0].text = project.readme[0].text.replace(TITLE, "");
});

/** A document has the address of its file, without the folder `docs`. */
class DocumentRouter extends KindRouter {
  getIdealBaseName(reflection) {
    const path = documents.get(reflection);
    return (
      path?.replace(/^docs\//, "").replace(/(?:\/README)?\.md$/, "") ??
      super.getIdealBaseName(reflection)
    );
  }
}
app.renderer.defineRouter("documents", DocumentRouter);

const TITLE = /^(?:<!--.*?-->\s*)?# (.*)\n/;

/** The documents before and after the one of a page. */
app.renderer.hooks.on("content.end", ({ page, urlTo }) => {
  const pages = [page.project, ...documents.keys()];
  const place = pages.indexOf(page.model);
  if (place < 0 || (place === 0 && page.url !== "index.html"))
    return JSX.createElement(JSX.Fragment, null);
  const link = (model, rel) => {
    const name = model === page.project ? "Start" : model?.name;
    return model && JSX.createElement("a", { href: urlTo(model), rel }, name);
  };
  const links = [link(pages[place - 1], "prev"), link(pages[place + 1], "next")];
  return JSX.createElement("nav", { class: "turn" }, ...links);
});

const project = await app.convert();
if (project) {
  app.validate(project);
  await app.generateOutputs(project);
}
if (!project || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
else console.log(`Open ${relative(process.cwd(), join(root, "dist/site/index.html"))}`);
