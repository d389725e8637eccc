import { describe, expect, it } from "vitest";
import { drawKills, isMeant, KINDS, kindOf, listAims } from "./kills.ts";
import type { StoreRequest } from "./recording-proxy.ts";

describe("the moments at which processes are killed", () => {
  it("are aimed at every kind of request once before any kind comes again, and in the end in every way", () => {
    const aims = listAims(1);
    expect(new Set(aims.slice(0, KINDS.length).map(({ kind }) => kind))).toEqual(new Set(KINDS));
    expect(new Set(aims.map(({ kind, blow }) => `${kind} ${blow}`)).size).toBe(3 * KINDS.length);
    expect(listAims(2)[0]?.blow).not.toBe(aims[0]?.blow);
  });

  it("are the same for the same seed, and others for another", () => {
    expect(drawKills(30, 1)).toEqual(drawKills(30, 1));
    expect(drawKills(30, 1)).not.toEqual(drawKills(30, 2));
  });

  it.each([
    ["PUT", "state/journal/mainnet/0001/2026-11-20/153000000-check-0123456789abcdef.json.zst", "journal entry"],
    ["PUT", "state/journal/mainnet/0001/2026-11-20/pack-20261121T031500000Z-0123.ndjson.zst", "pack"],
    ["PUT", "state/backdated/mainnet/0001/2026-11-20/153000000-ruling-0123456789abcdef.json.zst", "mark"],
    ["PUT", "state/lease/mainnet.json", "lease put"],
    ["DELETE", "state/lease/mainnet.json", "lease delete"],
    ["PUT", "state/manifest/mainnet.json.zst", "manifest"],
    ["PUT", "state/checkpoints/mainnet/0001/f1/20261120T153000000Z-01.ckpt.zst", "checkpoint"],
    ["PUT", "public/api/v1/mainnet/validators/VOTE/events.json", "document"],
    ["PUT", "public/api/v1/mainnet/index.json", "index"],
    ["PUT", "public/api/v1/mainnet/status.json", "status"],
    ["GET", "state/manifest/mainnet.json.zst", null],
  ])("are told apart by what a request is for: %s %s", (method, key, kind) => {
    expect(kindOf({ ...put(key), method })).toBe(kind);
    expect(kindOf({ ...put(key), method: "GET", isListing: true })).toBe("list");
  });

  it("are in the middle of the documents, and at the first of everything else", () => {
    const requests = [1, 2, 3].map((ordinal) => ({ ...put(`public/api/v1/mainnet/${ordinal}.json`), ordinal }));
    const manifest = { ...put("state/manifest/mainnet.json.zst"), ordinal: 4 };
    const meant = (kind: "document" | "manifest") =>
      [...requests, manifest].map((one) => isMeant({ kind, blow: "late" }, one, requests));
    expect(meant("document")).toEqual([false, false, true, false]);
    expect(meant("manifest")).toEqual([false, false, false, true]);
  });
});

function put(key: string): StoreRequest {
  const request = { ordinal: 1, writeOrdinal: 1, method: "PUT", isListing: false, status: null };
  return { ...request, path: `bucket/killed/${key}`, phase: "before it was done" };
}
