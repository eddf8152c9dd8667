/**
 * SQL condition: the JSON `whole` contains the JSON of its one parameter, as PostgreSQL's `@>` does for metadata. Members
 * must be equal at any depth; an element of a list must be anywhere in the list. (In a list of objects, an object is
 * compared with the one at the same index.)
 */
export const contains = (whole: string): string => `NOT EXISTS (
  SELECT 1 FROM json_tree(?) AS part WHERE NOT EXISTS (
    SELECT 1 FROM json_tree(${whole}) AS whole
    WHERE whole.path IS part.path AND (whole.key IS part.key OR typeof(part.key) = 'integer')
      AND whole.type = part.type AND whole.atom IS part.atom))`;
