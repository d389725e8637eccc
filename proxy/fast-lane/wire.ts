import type { Socket } from "node:net";
import type { Header } from "../answers/answer.ts";
import { CONNECTION_OPTIONS } from "../http/connections.ts";
import { FIXED_HEADERS, type Reply } from "../http/reply.ts";

interface WireOptions {
  /** Whether the connection ends with this answer. */
  isLast: boolean;
  /** What HTTP calls Date. */
  date: string;
}

/** Up to here one write of a string is cheaper than one of two buffers: Node sends a short one from its stack. */
const STRING_MAX_BYTES = 8_192;
const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${CONNECTION_OPTIONS.keepAliveTimeout / 1000}\r\n\r\n`;
const CLOSED = "Connection: close\r\n\r\n";
/** Not line ends alone: written as latin1, other characters become some. */
const NOT_PRINTABLE = /[^ -~]/;

const FIXED_LINES = toLines(FIXED_HEADERS);

/**
 * A list of headers that keeps, once they were needed, its lines, and the beginning of a 200 of the API with them: a
 * representation's are the same in each of its answers. Not in a WeakMap, which would make the collector look at thousands of
 * lists a second that are used only once.
 */
interface HeaderList extends ReadonlyArray<Header> {
  lines?: string;
  start?: string;
}

/** Writes an answer as Node would write it (RFC 9112): status line without a reason, headers, body. */
export function writeReply(socket: Socket, reply: Reply, { isLast, date }: WireOptions, onSent?: () => void): void {
  const { moreHeaders, limitHeaders, body } = reply;
  const limit = limitHeaders === undefined ? "" : toKnownLines(limitHeaders);
  const head = `${toStart(reply)}${toLines(moreHeaders)}${limit}Date: ${date}\r\n${isLast ? CLOSED : KEPT_ALIVE}`;
  if (body === null) {
    socket.write(head, "latin1", onSent);
  } else if (body.byteLength <= STRING_MAX_BYTES) {
    socket.write(head + toBuffer(body).toString("latin1"), "latin1", onSent);
  } else {
    socket.cork();
    // Node sends buffers as they are; of a string among them it makes one first, after a look at each.
    socket.write(Buffer.from(head, "latin1"));
    socket.write(body, onSent);
    socket.uncork();
  }
}

/** The status line, and what is the same in each answer of a representation. */
function toStart({ status, fixedHeaders, headers }: Reply): string {
  if (status === 200 && fixedHeaders === undefined) return toKnownStart(headers);
  const fixed = fixedHeaders === undefined ? FIXED_LINES : toKnownLines(fixedHeaders);
  return `HTTP/1.1 ${status} \r\n${fixed}${toLines(headers)}`;
}

function toKnownStart(headers: HeaderList): string {
  return (headers.start ??= toFlat(`HTTP/1.1 200 \r\n${FIXED_LINES}${toLines(headers)}`));
}

function toKnownLines(headers: HeaderList): string {
  return (headers.lines ??= toFlat(toLines(headers)));
}

/** The same text in one piece: one put together of pieces would be read piece by piece each time it is sent. */
function toFlat(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** @throws {Error} if a header is not one line of printable characters */
function toLines(headers: readonly Header[]): string {
  let lines = "";
  for (const [name, value] of headers) {
    if (NOT_PRINTABLE.test(value)) throw new Error(`The header ${name} cannot be sent.`);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** The same bytes, not copied. */
function toBuffer(body: Uint8Array): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
