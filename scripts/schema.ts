// `npm run schema`: writes the schema that programs in other languages see, from the declarations of the TypeScript package.
import { writeFileSync } from "node:fs";
import { SCHEMA, schemaText } from "./schema/package";

writeFileSync(SCHEMA, schemaText());
