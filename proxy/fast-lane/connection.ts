import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Reply } from "../http/reply.ts";
import { parsePlainRequest, type PlainRequest } from "./plain-request.ts";
import { writeReply } from "./wire.ts";

interface ConnectionOptions {
  /** Answers at once where it can. */
  answer: (request: PlainRequest, peer: string | undefined) => Reply | Promise<Reply>;
  /** Gives the connection to Node's parser for good, with what was read of it last. */
  handOver: (socket: Socket, piece: Buffer) => void;
  /** How long a client may take to begin, and how long a connection may be idle afterwards, in milliseconds. */
  timeouts: Pick<Server, "headersTimeout" | "keepAliveTimeout">;
  /** Whether answers tell from now on that their connection ends with them. */
  isEnding: () => boolean;
  /** Told of each request and of its connection as it came; gives what is to be told when it has been dealt with, if anything. */
  onRequest: (request: PlainRequest, socket: Socket) => ((status: number) => void) | undefined;
  /** Something went wrong that is a bug of ours; the connection is closed. */
  onBug: (error: unknown) => void;
  /** What HTTP calls Date. */
  date: () => string;
}

/** What is on its way when a server stops arrives within this time, if it ever does. */
const BEGIN_MILLISECONDS = 1_000;

/** A connection in the fast lane. */
export interface Connection {
  /**
   * Told every so often: closes it if its client has been silent for too long, be it that an answer is still being made, unless
   * one waits to be read. One look at all connections in two seconds costs less than a timer that each request sets anew.
   *
   * @param milliseconds since it was told last
   */
  look(milliseconds: number): void;
  /**
   * Closes it, when the answers before have left, unless a request waits for its answer. One that has sent nothing yet is
   * given a moment: it has been taken, so its request may be on the way, and nobody would answer it elsewhere.
   */
  closeIfIdle(): void;
}

/**
 * Serves a connection as long as its client sends one plain request after the other. Everything else (see plain-request.ts, and
 * requests that do not wait for the answers before) makes it Node's, at a moment when nothing of it is under way here. Bytes
 * are read on only when those of the answers before have left, so that a connection holds one answer at a time.
 */
export function serveConnection(socket: Socket, options: ConnectionOptions): Connection {
  const { answer, handOver, timeouts, isEnding, onRequest, onBug, date } = options;
  const peer = socket.remoteAddress;
  let isUsed = false;
  let isBusy = false;
  let silentMilliseconds = 0;
  let beginning: NodeJS.Timeout | undefined;
  /** What came while an answer was being made; a copy, see shared-buffer.ts. */
  let early: Buffer | null = null;

  function read(piece: Buffer): void {
    // Behind its last request a client may say what it likes. And of one that is gone nobody takes an answer: Node's parser
    // would wait for ever for a connection to close that has closed.
    if (!socket.writable) return;
    silentMilliseconds = 0;
    if (isBusy) {
      early = Buffer.from(piece);
      socket.pause();
      return;
    }
    const request = parsePlainRequest(piece);
    if (request === null) {
      // Nothing can be put back before an end that has come, which is seen ahead only where there is no shared buffer. Node's
      // server answers nobody who has ended the own side early.
      if (socket.readableEnded) {
        socket.end();
        return;
      }
      leave();
      handOver(socket, Buffer.from(piece));
      return;
    }
    isUsed = true;
    clearTimeout(beginning);
    serve(request);
  }

  function serve(request: PlainRequest): void {
    const onDone = onRequest(request, socket);
    const reply = answer(request, peer);
    if (!(reply instanceof Promise)) {
      send(reply, request, onDone);
      return;
    }
    isBusy = true;
    reply
      .then((reply) => {
        isBusy = false;
        send(reply, request, onDone);
        goOn();
      })
      .catch((error: unknown) => {
        onBug(error);
        onDone?.(0);
        socket.destroy();
      });
  }

  function send(reply: Reply, request: PlainRequest, onDone: ((status: number) => void) | undefined): void {
    if (!socket.writable) {
      onDone?.(0);
      return;
    }
    const isLast = request.isLast || isEnding() || (socket.readableEnded && early === null);
    const onSent = onDone && ((error?: Error | null) => onDone(error ? 0 : reply.status));
    writeReply(socket, reply, { isLast, date: date() }, onSent);
    if (isLast) socket.destroySoon();
    else if (socket.writableNeedDrain) socket.pause();
  }

  /** Reads what came early, then what comes. */
  function goOn(): void {
    if (isBusy || socket.writableNeedDrain) return;
    const piece = early;
    early = null;
    if (piece === null) socket.resume();
    else {
      read(piece);
      goOn();
    }
  }

  function leave(): void {
    socket.off("data", read).off("drain", goOn).off("end", end).off("error", destroy);
    clearTimeout(beginning);
  }

  const destroy = () => void socket.destroy();
  /** The client sends nothing more. It may still wait for an answer. */
  const end = () => {
    if (!isBusy) socket.end();
  };
  socket.on("data", read).on("drain", goOn).on("end", end).on("error", destroy);
  return {
    // Silence only: requests that come in pieces are Node's, with its clocks, and slow readers are cut by slow-readers.ts.
    look(milliseconds) {
      if (socket.writableLength > 0) return;
      // Of the time before this look some may have passed before the client fell silent. It was promised all of the timeout.
      const isOver = silentMilliseconds >= (isUsed ? timeouts.keepAliveTimeout : timeouts.headersTimeout);
      silentMilliseconds += milliseconds;
      if (isOver) socket.destroy();
    },
    closeIfIdle() {
      if (isBusy || early !== null) return;
      if (isUsed) socket.destroySoon();
      else beginning ??= setTimeout(() => socket.destroySoon(), BEGIN_MILLISECONDS).unref();
    },
  };
}
