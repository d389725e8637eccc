/*
 * Keeps an exact copy of all events in events.json. Run it every minute (cron): each run goes on
 * where the last one ended, and one that fails changes nothing.
 *
 *     node follow.ts            (Node 24; types for your editor: /client.d.ts of the API)
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { components, paths } from "./client.d.ts";

const API = process.env["RUGWATCH"] ?? "http://127.0.0.1:8080";
const NETWORK = "mainnet";
const FILE = "events.json";
const ATTEMPTS = 5;

type Changes = paths["/api/v1/changes"]["get"]["responses"][200]["content"]["application/json"];

interface Copy {
  edition: string | null;
  after: number;
  events: Record<string, components["schemas"]["CommissionEvent"]>;
}

const empty = (): Copy => ({ edition: null, after: 0, events: {} });
const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Copy) : empty();
const copy = await goOn(kept);
// Renaming is all or nothing: nobody ever reads half a copy.
writeFileSync(`${FILE}.new`, JSON.stringify(copy));
renameSync(`${FILE}.new`, FILE);
console.log(`${Object.keys(copy.events).length} events, up to change ${copy.after}`);

async function goOn(copy: Copy): Promise<Copy> {
  for (;;) {
    const query = `network=${NETWORK}&after=${copy.after}&limit=1000`;
    const { data, meta } = await ask<Changes>(`/api/v1/changes?${query}`);
    // Rugwatch computes another past now, which begins at 0.
    if (copy.edition !== null && copy.edition !== meta.edition) return goOn(empty());
    for (const { kind, event } of data)
      if (kind === "withdrawal") delete copy.events[event.id];
      else copy.events[event.id] = event;
    copy.edition = meta.edition;
    copy.after = meta.next;
    if (meta.next === meta.head) return copy;
  }
}

/** 429 and 503 say when to ask again. */
async function ask<Answer>(path: string): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(API + path);
    if (response.ok) return (await response.json()) as Answer;
    const wait = response.headers.get("retry-after");
    if (wait === null || attempt === ATTEMPTS)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await sleep(Number(wait) * 1_000);
  }
}
