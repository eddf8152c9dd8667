// `npm run schema`: writes the schema that programs in other languages see, and the documents that are made of the same, from the
// declarations of the TypeScript package.
import { writeFileSync } from "node:fs";
import { writeDocuments } from "./reference/documents";
import { SCHEMA, schemaText } from "./schema/package";

writeFileSync(SCHEMA, schemaText());
writeDocuments();
