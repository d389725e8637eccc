import { once } from "node:events";
import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PublishedObject } from "../../proxy/fixtures.ts";
import type { Random } from "../random.ts";

/** All but `up` are outages: nothing said then may reach a client. */
const MOODS = ["up", "refuses", "hangs", "slow", "cuts", "pages", "errors", "empty", "older", "foreign"] as const;
type Mood = (typeof MOODS)[number];

/** Longer than the proxy waits. */
const SLOW_MILLISECONDS = 6_000;

/** The public documents behind a moody web server. */
export interface StoreServer {
  /** For RUGWATCH_PUBLIC. */
  url: string;
  mood: Mood;
  put(objects: PublishedObject[]): void;
  /** Sets the index served in a mood. */
  setIndex(mood: "older" | "foreign", index: PublishedObject): void;
  close(): Promise<void>;
}

export async function startStoreServer(): Promise<StoreServer> {
  const objects = new Map<string, Uint8Array>();
  const strange = new Map<Mood, PublishedObject>();

  const http = createServer((request, response) => {
    const key = (request.url ?? "").replace("/site/", "");
    const other = strange.get(server.mood);
    const body = other?.key === key ? other.body : objects.get(key);
    ANSWERS[server.mood]({ request, response, body });
  });

  await once(http.listen(0, "127.0.0.1"), "listening");
  const server: StoreServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/site`,
    mood: "up",
    put(published) {
      for (const { key, body } of published) objects.set(key, body);
    },
    setIndex: (mood, index) => void strange.set(mood, index),
    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
  return server;
}

/** How long the store is up, and how long an outage lasts, in seconds. */
const UP_SECONDS = { min: 30, max: 45 };
const OUTAGE_SECONDS = { min: 5, max: 25 };

/** Alternates between up and outages, each kind once before any repeats. */
export function startWeather(store: StoreServer, { random, now }: { random: Random; now: () => number }) {
  let upSince: number | null = now();
  let left: Mood[] = [];
  let timer: NodeJS.Timeout;
  const history: Mood[] = [];

  function change(mood: Mood): void {
    store.mood = mood;
    upSince = mood === "up" ? now() : null;
    history.push(mood);
    const { min, max } = mood === "up" ? UP_SECONDS : OUTAGE_SECONDS;
    timer = setTimeout(() => change(mood === "up" ? draw() : "up"), (min + random.below(max - min + 1)) * 1_000);
  }

  function draw(): Mood {
    if (left.length === 0) left = MOODS.filter((mood) => mood !== "up");
    return left.splice(random.below(left.length), 1)[0] ?? "hangs";
  }

  change("up");
  return { upSince: () => upSince, history, stop: () => clearTimeout(timer) };
}

const ANSWERS: Record<Mood, (asked: Asked) => void> = {
  up: send,
  older: send,
  foreign: send,
  empty: ({ response, ...asked }) => send({ ...asked, response, body: undefined }),
  refuses: ({ request }) => request.socket.destroy(),
  hangs: () => undefined,
  // Skips clients that left; the timer keeps no process alive.
  slow: (asked) => void setTimeout(() => send(asked), SLOW_MILLISECONDS).unref(),
  cuts: cut,
  pages: ({ response }) => {
    response.writeHead(200, { "content-type": "application/json", etag: '"page"' }).end("<html>");
  },
  errors: ({ response }) => {
    response.writeHead(503).end();
  },
};

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  /** undefined: missing. */
  body: Uint8Array | undefined;
}

function send({ request, response, body }: Asked): void {
  if (body === undefined) return void response.writeHead(404).end();
  const headers = toHeaders(body);
  if (request.headers["if-none-match"] === headers.etag) response.writeHead(304, { etag: headers.etag }).end();
  else response.writeHead(200, headers).end(body);
}

/** Sends half of what it promised. */
function cut({ response, body = new Uint8Array(2) }: Asked): void {
  // Not the ETag of the whole, or the proxy would rightly skip the body.
  response.writeHead(200, { ...toHeaders(body), etag: '"cut"' });
  response.write(body.subarray(0, body.byteLength >> 1), () => response.destroy());
}

function toHeaders(body: Uint8Array) {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": body.byteLength,
    etag: `"${hash("sha256", body, "base64url")}"`,
  };
}
