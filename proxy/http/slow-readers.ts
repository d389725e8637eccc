import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A client has this long, in milliseconds, for each answer that its system and ours do not hold between them. */
export const SLOW_READER_MILLISECONDS = 30_000;

/**
 * Closes connections whose client does not take its answers: those of which, since the look before, something was waiting
 * to be sent and no piece of it was sent wholly. Node has no such limit, and one that counts silence only is met by reading a
 * byte now and then. Looks at connections, not at requests, so that requests pay nothing for it.
 */
export function cutSlowReaders(server: Server, milliseconds = SLOW_READER_MILLISECONDS): void {
  /** Open connections, with the bytes that had wholly gone out when they were last looked at; null: nothing waited. */
  const sent = new Map<Socket, number | null>();
  server.on("connection", (socket: Socket) => {
    sent.set(socket, null);
    socket.once("close", () => sent.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of sent) {
      const now = socket.writableLength === 0 ? null : socket.bytesWritten - socket.writableLength;
      // Reset: of one that is only closed the system would keep for minutes what nobody takes.
      if (now !== null && now === before) socket.resetAndDestroy();
      else sent.set(socket, now);
    }
  }, milliseconds);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
