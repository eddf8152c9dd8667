import { dirname, sep } from "node:path";

/** The folder whose frames are ours. */
const PROVIDER = dirname(__dirname) + sep;

/** Frames that tell nothing of a program: Node's, those without a file, and what runs it. */
const RUNNER = /^(?:$|node:|.*[\\/]node_modules[\\/](?:@pulumi[\\/]pulumi|ts-node)[\\/])/;

/**
 * Suppresses the SDK's stack capture for each of a resource's eighty promises, a third of a large program's time, and keeps
 * the one for the source position, until the returned function is called. The SDK leaves out its own frames and one
 * constructor more, as code generators write them; this package has up to three, and a function `get`.
 * The engine writes the stack into the state of each resource: without the frames that run the program it is an eighth smaller.
 */
export function findSourcePosition(): () => void {
  const { stackTraceLimit } = Error;
  const prepareStackTrace: typeof Error.prepareStackTrace = Reflect.get(Error, "prepareStackTrace");
  Error.stackTraceLimit = 0;
  // Only Node itself can map the lines of its own option for source maps.
  if (prepareStackTrace !== undefined && !process.sourceMapsEnabled)
    Error.prepareStackTrace = (error, frames): unknown =>
      prepareStackTrace(error, ofProgram(frames));
  return () => void Object.assign(Error, { stackTraceLimit, prepareStackTrace });
}

/** The innermost frame of ours and those of the program; all, where a bundle has the program in our file. */
function ofProgram(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const first = frames.findIndex((frame) => fileOf(frame).startsWith(PROVIDER));
  const rest = frames.slice(first + 1).filter(isProgram);
  return first < 0 || rest.length === 0 ? frames : [...frames.slice(0, first + 1), ...rest];
}

function isProgram(frame: NodeJS.CallSite): boolean {
  const file = fileOf(frame);
  return !file.startsWith(PROVIDER) && !RUNNER.test(file);
}

function fileOf(frame: NodeJS.CallSite): string {
  return frame.getFileName() ?? "";
}
