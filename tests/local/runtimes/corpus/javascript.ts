import { configured, type Case } from "./case";

/** A graph whose answer is an expression. */
const graph = (answer = '"ok"', imports = "") => `${imports}
import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ text: Annotation });
const node = () => ({ text: ${answer} });
export const graph = new StateGraph(State).addNode("node", node).addEdge(START, "node").compile();
`;
const dependencies = { "@langchain/core": "1.4.0", "@langchain/langgraph": "1.7.3" };
const PACKAGE = { name: "agent", type: "module", dependencies };

/** Repositories with graphs in JavaScript and TypeScript, none of which brings the server. */
export const JAVASCRIPT_CASES: readonly Case[] = [
  {
    what: "the official template",
    tier: "long",
    files: {
      "langgraph.json": configured("./src/agent/graph.ts:graph", {
        node_version: "20",
        dependencies: ["."],
        env: ".env",
      }),
      "package.json": PACKAGE,
      "tsconfig.json": { compilerOptions: { module: "NodeNext", moduleResolution: "nodenext" } },
      "src/agent/graph.ts": graph("WORD as string", 'import { WORD } from "./words.js";'),
      "src/agent/words.ts": 'export const WORD: string = "in TypeScript";\n',
    },
    answer: "in TypeScript",
    log: /^the platform brings @langchain\/langgraph-api$/,
  },
  {
    what: "a workspace with the graph in one of its packages",
    tier: "long",
    files: {
      "langgraph.json": configured("./apps/agents/src/graph.ts:graph"),
      "package.json": { name: "root", private: true, workspaces: ["apps/*"] },
      "apps/agents/package.json": PACKAGE,
      "apps/agents/src/graph.ts": graph(),
    },
    answer: "ok",
  },
  {
    what: "components of an interface",
    tier: "long",
    files: {
      "langgraph.json": configured("./agent.ts:graph", { ui: { agent: "./src/ui/index.tsx" } }),
      "package.json": {
        ...PACKAGE,
        dependencies: { ...dependencies, react: "19.1.0", "react-dom": "19.1.0" },
      },
      "agent.ts": graph(),
      "src/ui/index.tsx": "const Card = () => <div>card</div>;\nexport default { card: Card };\n",
    },
    answer: "ok",
    asks: { "/ui/agent": "__LGUI_agent.render" },
  },
  {
    what: "packages of pnpm, with the public tool of the same time as langgraph",
    files: {
      "langgraph.json": configured("./agent.mjs:graph"),
      "package.json": {
        ...PACKAGE,
        dependencies: { "@langchain/core": "0.3.66", "@langchain/langgraph": "0.4.2" },
        devDependencies: { "@langchain/langgraph-cli": "0.0.56" },
      },
      "agent.mjs": graph(),
    },
    lock: "pnpm install --lockfile-only",
    answer: "ok",
    log: /^the repository brings @langchain\/langgraph-api$/,
  },
  {
    what: "an app of its own and a check of access, in TypeScript",
    files: {
      "langgraph.json": configured("./agent.mjs:graph", {
        http: { app: "./src/app.ts:app" },
        auth: { path: "./src/auth.ts:auth" },
      }),
      "package.json": {
        ...PACKAGE,
        dependencies: { ...dependencies, "@langchain/langgraph-sdk": "1.15.0", hono: "4.13.19" },
      },
      "agent.mjs": graph(),
      "src/app.ts":
        "import { Hono } from 'hono';\nexport const app = new Hono();\napp.post('/hello', (c) => c.text('hello'));\n",
      "src/auth.ts":
        "import { Auth } from '@langchain/langgraph-sdk/auth';\nexport const auth = new Auth().authenticate(async () => ({ identity: 'ann', permissions: [] }));\n",
    },
    answer: "ok",
    asks: { "/hello": "hello" },
  },
];
