import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Answer, Reading } from "../answers/answer.ts";
import { MEMORY } from "../memory.ts";
import { rateLimited, toLimitHeaders, type Gate } from "./gate.ts";
import type { Allowance } from "../limits/limiter.ts";
import type { Negotiation } from "./negotiation.ts";
import type { Delivery } from "./route.ts";
import { FIXED_HEADERS, toErrorReply, toReply, type Reply } from "./reply.ts";

interface FastLaneOptions {
  gate: Gate;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Answers again what was answered a moment ago, before the app: a GET or HEAD of the same target, to the character, while
 * the reading it was answered from is fresh. A quarter of the time that a request takes, the kernel's included, is the app's
 * (Fetch objects, routing, promises), and most requests are for what somebody has just asked for. Everything else takes the way through the
 * app, and both ways end in reply.ts and gate.ts, so that nobody can tell them apart.
 */
export interface FastLane {
  /** To be told of each answer by the app, with the target of its request as it was sent. */
  remember(target: string, reading: Reading<Answer>, negotiation: Negotiation): void;
  /** Takes its place before those who listen to a server's requests by now. */
  join(server: Server): void;
}

interface Remembered {
  reading: Reading<Answer>;
  negotiation: Negotiation;
  rememberedAt: number;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export function createFastLane({ gate, now }: FastLaneOptions): FastLane {
  const remembered = new LRUCache<string, Remembered>({ maxSize: MEMORY.fastLaneMaxBytes });

  function find({ method, url = "", headers }: IncomingMessage): Remembered | null {
    if ((method !== "GET" && method !== "HEAD") || headers["if-match"] !== undefined) return null;
    const found = remembered.get(url);
    if (found === undefined) return null;
    const time = now();
    // A clock that was set back must not keep an answer for an hour.
    if (time < found.reading.freshUntil && time >= found.rememberedAt) return found;
    remembered.delete(url);
    return null;
  }

  function answer(request: IncomingMessage, response: ServerResponse, { reading, negotiation }: Remembered): void {
    const { headers, socket } = request;
    const reply = (allowance: Allowance) => {
      const conditions = { acceptEncoding: get("accept-encoding"), ifNoneMatch: get("if-none-match"), ifMatch: null };
      const given = allowance.allowed
        ? toReply(reading, conditions, negotiation)
        : toErrorReply(rateLimited(allowance));
      send(response, given, allowance);
    };
    const get = (name: string) => toText(headers[name]);
    const allowance = gate({ peer: socket.remoteAddress, getHeader: get });
    if (allowance instanceof Promise) void allowance.then(reply, () => response.destroy());
    else reply(allowance);
  }

  return {
    remember(target, reading, negotiation) {
      const rememberedAt = now();
      if (reading.freshUntil <= rememberedAt) return;
      const size = MEMORY.entryBytes + target.length + reading.value.body.byteLength;
      remembered.set(target, { reading, negotiation, rememberedAt }, { size });
    },
    join(server) {
      const others = server.listeners("request") as Listener[];
      server.removeAllListeners("request");
      server.on("request", (request: IncomingMessage, response: ServerResponse) => {
        const found = find(request);
        if (found !== null) answer(request, response, found);
        else for (const other of others) other(request, response);
      });
    },
  };
}

/** Tells a fast lane of what the app answered, where requests come over Node's server. */
export function toRememberer(lane: FastLane): NonNullable<Delivery["onAnswer"]> {
  return (request, reading, negotiation) => {
    const target = request.runtime?.node?.req.url;
    if (target !== undefined) lane.remember(target, reading, negotiation);
  };
}

/** As Fetch has it: what was sent several times is joined. */
function toText(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(", ") : (value ?? null);
}

function send(response: ServerResponse, reply: Reply, allowance: Allowance): void {
  const { status, headers, body } = reply;
  const lines: string[] = [];
  for (const list of [FIXED_HEADERS, headers, toLimitHeaders(allowance)])
    for (const [name, value] of list) lines.push(name, value);
  // Without a reason phrase, as the app answers. Of a HEAD Node sends no body.
  response.writeHead(status, "", lines).end(body);
}
