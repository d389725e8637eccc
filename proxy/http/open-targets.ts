import type { Duplex } from "node:stream";

/**
 * Connections of which Node's parser was given the beginning of a request whose target had not ended there. When it meets
 * bytes that are too many it shows only the last piece of them, which does not tell what they are too many of.
 */
export interface OpenTargets {
  /** Told of the first piece of a connection that the parser is given. */
  begin(socket: Duplex, piece: Uint8Array): void;
  /** Told when the parser has read a request's head. */
  end(socket: Duplex): void;
  /** Whether bytes that are too many are those of a target, as far as can be known; `piece`: the last that were read. */
  isOpen(socket: Duplex, piece: Uint8Array): boolean;
}

export function createOpenTargets(): OpenTargets {
  const open = new WeakSet<Duplex>();
  return {
    begin(socket, piece) {
      if (isOpenTarget(piece)) open.add(socket);
    },
    end: (socket) => void open.delete(socket),
    isOpen: (socket, piece) => isOpenTarget(piece) || (open.has(socket) && !piece.includes(LINE_END)),
  };
}

const LINE_END = 0x0a;

/** Whether the bytes begin a request and do not reach the end of its first line. */
function isOpenTarget(piece: Uint8Array): boolean {
  return (
    !piece.includes(LINE_END) && /^[A-Z-]+ /.test(Buffer.from(piece.subarray(0, METHOD_MAX_BYTES)).toString("latin1"))
  );
}

/** Longer than any method that Node's parser knows. */
const METHOD_MAX_BYTES = 32;
