import { dirname, sep } from "node:path";

/** The folder whose frames are ours. */
const PROVIDER = dirname(__dirname) + sep;

/**
 * Suppresses the SDK's stack capture for each of a resource's eighty promises, a third of a large program's time, and keeps
 * the one for the source position, until the returned function is called. The SDK leaves out its own frames and one
 * constructor more, as code generators write them; this package has up to three, and a function `get`.
 */
export function findSourcePosition(): () => void {
  const { stackTraceLimit } = Error;
  const prepareStackTrace: typeof Error.prepareStackTrace = Reflect.get(Error, "prepareStackTrace");
  Error.stackTraceLimit = 0;
  // Only Node itself can map the lines of its own option for source maps.
  if (prepareStackTrace !== undefined && !process.sourceMapsEnabled)
    Error.prepareStackTrace = (error, frames): unknown =>
      prepareStackTrace(error, withOneOfOurs(frames));
  return () => void Object.assign(Error, { stackTraceLimit, prepareStackTrace });
}

/** The frames with only the innermost of ours; all, where a bundle has the program in our file. */
function withOneOfOurs(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const first = frames.findIndex(isOurs);
  const rest = frames.slice(first + 1).filter((frame) => !isOurs(frame));
  return first < 0 || rest.length === 0 ? frames : [...frames.slice(0, first + 1), ...rest];
}

function isOurs(frame: NodeJS.CallSite): boolean {
  return frame.getFileName()?.startsWith(PROVIDER) ?? false;
}
