import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import { errorSchema, type ErrorCode } from "../../../generator/contract/errors.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";

/** One answer as it lay on the wire. */
export interface RawAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
}

interface Exchange {
  answers: RawAnswer[];
  /** Bytes after the last whole answer. */
  rest: string;
  /** All bytes, a character each. */
  received: string;
}

/** No exchange of a test takes so long; one that does fails the test. */
const PATIENCE_MILLISECONDS = 10_000;

/** Writes raw bytes, and reads until the server closes or has sent so many answers. */
export function exchange(
  url: string,
  bytes: string | Uint8Array,
  until = Infinity,
): Promise<Exchange> {
  return exchangeWith(url, until, (socket) => void socket.write(toBytes(bytes)));
}

/**
 * Writes pieces that the server reads one by one, ends the
 * connection if told, and reads until the server closes.
 */
export function exchangePieces(
  url: string,
  pieces: Uint8Array[],
  { isEnding = false } = {},
): Promise<Exchange> {
  return exchangeWith(
    url,
    Infinity,
    (socket) => void writePieces(socket.setNoDelay(), pieces, isEnding),
  );
}

function exchangeWith(
  url: string,
  until: number,
  write: (socket: Socket) => void,
): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const answers: RawAnswer[] = [];
    let rest = "";
    let received = "";
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `The connection is still open. After ${answers.length} answers: ${rest.slice(0, 200)}`,
        ),
      );
    }, PATIENCE_MILLISECONDS);
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, rest, received });
    };
    // A server that refuses does not read the rest: writing fails, but its answer counts.
    socket.on("error", () => undefined).on("close", finish);
    socket.on("data", (data) => {
      received += data.toString("latin1");
      const more = toAnswers(rest + data.toString("latin1"));
      answers.push(...more.answers);
      rest = more.rest;
      if (answers.length >= until) finish();
    });
    write(socket);
  });
}

async function writePieces(socket: Socket, pieces: Uint8Array[], isEnding: boolean): Promise<void> {
  for (const piece of pieces) {
    if (!socket.writable) return;
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    // The server is in this process, and reads within two turns of the event loop.
    await setImmediate();
    await setImmediate();
  }
  if (isEnding) socket.end();
}

function toBytes(bytes: string | Uint8Array): Uint8Array {
  return typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
}

/** The answers to GET requests in what came over a connection. */
function toAnswers(received: string): Pick<Exchange, "answers" | "rest"> {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const headEnd = rest.indexOf("\r\n\r\n");
    if (headEnd < 0) return { answers, rest };
    const [statusLine = "", ...lines] = rest.slice(0, headEnd).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const bodyEnd = headEnd + 4 + Number(headers["content-length"] ?? 0);
    if (rest.length < bodyEnd) return { answers, rest };
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    answers.push({ status, headers, body: rest.slice(headEnd + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
}

/**
 * Checks status, envelope and headers of a refusal, that it counts
 * for nobody and closes the connection. Returns its message.
 */
export function expectRefusal(
  answer: RawAnswer | undefined,
  status: number,
  code: ErrorCode,
): string {
  expect(answer).toMatchObject({
    status,
    headers: {
      connection: "close",
      date: expect.stringMatching(/ GMT$/) as string,
      "cache-control": "no-store",
      "content-type": CONTENT_TYPE,
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    },
  });
  // Those that are the same for everybody: it is not counted.
  expect(Object.keys(answer!.headers).filter((name) => name.includes("ratelimit"))).toEqual([
    "x-ratelimit-limit",
    "ratelimit-policy",
  ]);
  const { error } = errorSchema.parse(JSON.parse(answer!.body));
  expect(error.code).toBe(code);
  expect(answer!.body).not.toMatch(/HPE_|llhttp|node|parse error/i);
  return error.message;
}
