/**
 * SQL query: the scalar top-level members of a JSON object, each as a string in the column `member`. A long one is cut, so
 * a match is still to be compared as a whole. Never changed: triggers in users' files contain it.
 */
export const membersOf = (json: string): string => `
  SELECT DISTINCT substr(json_array(key, type, atom), 1, 200) AS member
  FROM json_each(${json}) WHERE type NOT IN ('object', 'array')`;

/** Threads with a member are counted up to this number. */
export const MANY_THREADS = 1000;

/** SQL query: the member of its one parameter that the fewest threads have, and how many, up to `MANY_THREADS`. */
export const RAREST_MEMBER = `
  SELECT member, (
    SELECT count(*) FROM (
      SELECT TRUE FROM metadata_members WHERE metadata_members.member = wanted.member LIMIT ${MANY_THREADS}
    )) AS threads
  FROM (${membersOf("?")}) AS wanted ORDER BY threads LIMIT 1`;
