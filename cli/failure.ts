/** A command can't do its work; the message says why and what to do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
