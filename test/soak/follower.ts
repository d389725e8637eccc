import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { createApp } from "../../proxy/app.ts";
import { MemoryLimiter } from "../../proxy/limits/memory-limiter.ts";

/** What the program of the guide keeps. */
export interface Copy {
  edition?: string;
  after: number;
  events: Map<string, CommissionEvent>;
}

export interface Site {
  /** Brings a copy up to date. */
  follow(copy?: Copy): Promise<Copy>;
  /** What the API shows. */
  readEvents(): Promise<CommissionEvent[]>;
}

const guide = await readFile(new URL("../../proxy/README.md", import.meta.url), "utf8");
const [, program = ""] = /```js\n(async function follow[^]+?)```/.exec(guide) ?? [];

/**
 * A proxy over what is published now, which keeps nothing of before.
 * @param limit of each answer; null: as the guide asks
 */
export function openSite(publicStore: ObjectStore, limit: number | null = null): Site {
  const app = createApp({
    objects: publicStore,
    clusters: { watched: [], readEpoch: () => Promise.reject(new Error("silent")) },
    // Remembers one client: room for as many as a proxy has would be made for each visit.
    limiter: new MemoryLimiter(1e9, () => 0, 1),
    trustedProxies: { by: "nothing" },
    steadyNow: () => 0,
    now: () => 0,
    log: () => undefined,
  });
  const ask = async (address: string) => {
    const response = await app.fetch(
      new Request(address.replace("limit=1000", `limit=${limit ?? 1000}`)),
    );
    if (response.status !== 200) throw new Error(`${address}: status ${response.status}`);
    return response;
  };
  const follow = runInNewContext(`(${program})`, { API, Map, fetch: ask }) as Site["follow"];
  return {
    follow: (copy) => follow(structuredClone(copy)),
    async readEvents() {
      const { data } = (await (await ask(`${API}/events?epochs=50`)).json()) as {
        data: CommissionEvent[];
      };
      return data;
    },
  };
}

const API = "http://proxy.example/api/v1";
