// `npm run sdks`: generates the SDK for Python from the schema, with Go. Run `npm run schema` before, after a change of types.
import { writePythonSdk } from "./sdks/generate";

writePythonSdk().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
