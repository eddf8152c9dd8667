/** A command can't do its work; the message has the reason and what to do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
