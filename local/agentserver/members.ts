/**
 * SQL of a query for the top-level members of a JSON object that are neither object nor list, each as a text in a column
 * `member`. Only the beginning of a long one is kept, so that what is found by it is still to be compared. Never changed:
 * the triggers in users' files are made of it.
 */
export const membersOf = (json: string): string => `
  SELECT DISTINCT substr(json_array(key, type, atom), 1, 200) AS member
  FROM json_each(${json}) WHERE type NOT IN ('object', 'array')`;

/** Up to how many threads with a member are counted. */
export const MANY_THREADS = 1000;

/** SQL that answers which of the members of its one parameter the fewest threads have, and how many: at most `MANY_THREADS`. */
export const RAREST_MEMBER = `
  SELECT member, (
    SELECT count(*) FROM (
      SELECT TRUE FROM metadata_members WHERE metadata_members.member = wanted.member LIMIT ${MANY_THREADS}
    )) AS threads
  FROM (${membersOf("?")}) AS wanted ORDER BY threads LIMIT 1`;
