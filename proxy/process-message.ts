/**
 * Whether a message from another process is of ours, and of this kind: Node, and other parts of the program, use the channel
 * between the processes too.
 */
export function isOfKind<Kind extends string>(message: unknown, kind: Kind): message is { rugwatch: Kind } {
  return typeof message === "object" && message !== null && "rugwatch" in message && message.rugwatch === kind;
}
