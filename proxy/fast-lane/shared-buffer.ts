import { Socket, type Server, type SocketConstructorOpts } from "node:net";

/** As much as Node reads at once by itself: what is left unread when a connection ends resets it. */
const BUFFER_BYTES = 65_536;

/** A socket with what lies below it, which Node does not document: so it is looked for. */
interface WithHandle {
  _handle?: (SocketConstructorOpts["handle"] & { useUserBuffer?: unknown }) | null;
}

type ConnectionListener = (this: Server, socket: Socket) => void;

/**
 * Lets all connections of a server be read into one buffer. A new one of 64 KB for each read was a quarter of what a request
 * costs here beside the system's calls. So what `data` tells of is true only until its listener returns: who keeps a piece has
 * to copy it, or sees that of another client later. Node's HTTP parser reads beside this, into a buffer of its own. To be
 * called after all who listen to connections: whoever does so later is given a socket that is dead.
 *
 * Node offers such a buffer (`onread`) to sockets that are made, not to those that are accepted: so each connection is given
 * to a second socket. Where it cannot be, it goes on with the first.
 */
export function shareReadBuffer(server: Server): void {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const listeners = server.listeners("connection") as ConnectionListener[];
  server.removeAllListeners("connection");
  server.on("connection", (accepted: Socket) => {
    const socket = reopen(accepted, buffer);
    for (const listener of listeners) listener.call(server, socket);
  });
}

function reopen(accepted: Socket & WithHandle, buffer: Buffer): Socket {
  const handle = accepted._handle;
  if (typeof handle?.useUserBuffer !== "function") return accepted;
  const onread = {
    buffer,
    callback(bytes: number) {
      socket.emit("data", buffer.subarray(0, bytes));
      return true;
    },
  };
  const socket = new Socket({ handle, onread, allowHalfOpen: accepted.allowHalfOpen });
  accepted._handle = null;
  // The server counts the connections that it accepted.
  socket.once("close", () => accepted.destroy());
  return socket;
}
