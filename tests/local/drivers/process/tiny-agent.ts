/**
 * A JavaScript agent whose server is a package of its own repository, so that npm installs it without a registry. The
 * server answers every request with what its process is: graphs, folder, environment.
 */
export const TINY_AGENT = {
  "package.json": JSON.stringify({
    name: "tiny",
    dependencies: { "@langchain/langgraph-api": "file:packages/api" },
  }),
  "package-lock.json": JSON.stringify({
    name: "tiny",
    lockfileVersion: 3,
    packages: {
      "": { name: "tiny", dependencies: { "@langchain/langgraph-api": "file:packages/api" } },
      "node_modules/@langchain/langgraph-api": { resolved: "packages/api", link: true },
      "packages/api": { name: "@langchain/langgraph-api", version: "1.0.0" },
    },
  }),
  "packages/api/package.json": JSON.stringify({
    name: "@langchain/langgraph-api",
    version: "1.0.0",
    type: "module",
    exports: { "./package.json": "./package.json" },
  }),
  "packages/api/dist/server.mjs": `
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function startServer({ port, host, cwd, graphs, ...rest }) {
  for (const graph of Object.values(graphs)) {
    const [file, name] = graph.split(":");
    if (!(await import(pathToFileURL(join(cwd, file)).href))[name]) throw new Error("graph is nullush");
  }
  const about = { cwd, graphs, rest, env: process.env };
  const server = createServer((_, response) => response.end(JSON.stringify(about)));
  await new Promise((done) => server.listen(port, host, done));
  const cleanup = async () => {
    process.stdout.write("Flushing to persistent storage, exiting...\\n");
    await new Promise((done) => setTimeout(done, 100));
    writeFileSync(join(cwd, "flushed"), "");
  };
  return { host: host + ":" + server.address().port, cleanup };
}`,
  "langgraph.json": JSON.stringify({ graphs: { agent: "./agent.mjs:graph" } }),
  "agent.mjs": "export const graph = { compile() {} };\n",
} as const;
