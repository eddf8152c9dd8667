/**
 * SQL that is true when the JSON `whole` contains the JSON of its one parameter, as PostgreSQL's `@>` has it for what
 * metadata is made of: a part's members must be there and equal, at any depth; an element of a list must be in the list at
 * any place. (In a list of objects, the members of an object are looked for at the same place.)
 */
export const contains = (whole: string): string => `NOT EXISTS (
  SELECT 1 FROM json_tree(?) AS part WHERE NOT EXISTS (
    SELECT 1 FROM json_tree(${whole}) AS whole
    WHERE whole.path IS part.path AND (whole.key IS part.key OR typeof(part.key) = 'integer')
      AND whole.type = part.type AND whole.atom IS part.atom))`;
