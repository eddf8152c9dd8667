// `npm run sdks`: generates the SDK for Python from the schema, with Go. Run `npm run schema` before, after a change of types.
import { goVersion, writePythonSdk } from "./sdks/generate";

async function main(): Promise<void> {
  if ((await goVersion()) === undefined) throw new Error("the generators need Go on PATH");
  await writePythonSdk();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
