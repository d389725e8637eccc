import { describe, expect, it } from "vitest";
import { examineMev } from "../../../generator/service/doctor/mev.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { key } from "../../observe/fixtures.ts";
import { startServer, type Asked } from "../../rpc/rpc-server.ts";

interface Question {
  network?: Network;
  mevUrl: string | null;
  epoch?: number | null;
}

async function examine({ network = "mainnet", mevUrl, epoch = 1060 }: Question) {
  const dispatcher = createDispatcher();
  const timer = () => performance.now();
  const { signal } = new AbortController();
  try {
    return await examineMev({ network, mevUrl, epoch, dispatcher, now: Date.now, timer, signal });
  } finally {
    await dispatcher.destroy();
  }
}

const record = (byte: number) => ({ vote_account: key(byte), mev_commission_bps: 800, running_jito: true });
const records = (count: number) => Array.from({ length: count }, (_, index) => record(index + 1));

/** A vendor whose latest and whose closed list are so long; null: it refuses that list. */
function startVendor(lengths: { latest: number | null; closed: number | null }) {
  return startServer((asked, response) => {
    const length = isLatest(asked) ? lengths.latest : lengths.closed;
    response.statusCode = length === null ? 400 : 200;
    response.setHeader("date", new Date().toUTCString());
    response.end(JSON.stringify({ validators: records(length ?? 0) }));
  });
}

const isLatest = ({ body }: Asked) => body === null;

describe("the MEV vendor's API", () => {
  it("is told with the length of both its lists, the one of the closed epoch asked by number", async () => {
    const vendor = await startVendor({ latest: 3, closed: 2 });
    try {
      const { findings, contact } = await examine({ mevUrl: `${vendor.url}/hunter2` });
      expect(findings).toEqual([
        {
          level: "ok",
          subject: "MEV API, latest",
          found: expect.stringMatching(/: 3 validators in \d+ ms$/) as string,
          advice: null,
        },
        {
          level: "ok",
          subject: "MEV API, closed epoch",
          found: expect.stringMatching(/: 2 validators of epoch 1059 in \d+ ms$/) as string,
          advice: null,
        },
      ]);
      expect(contact).toMatchObject({ clockAheadMilliseconds: expect.any(Number) as number });
      expect(vendor.asked.map(({ body }) => body)).toContainEqual({ epoch: 1059 });
      expect(JSON.stringify(findings)).not.toContain("hunter2");
    } finally {
      await vendor.close();
    }
  });

  it.each([
    ["latest", { latest: null, closed: 2 }, ["warning", "ok"], /are read from the accounts on chain/],
    ["closed", { latest: 3, closed: null }, ["ok", "warning"], /who switched MEV off/],
  ])("is a warning where its %s list fails", async (_, lengths, levels, advice) => {
    const vendor = await startVendor(lengths);
    try {
      const { findings } = await examine({ mevUrl: vendor.url });
      expect(findings.map(({ level }) => level)).toEqual(levels);
      expect(findings.find(({ level }) => level === "warning")!.advice).toMatch(advice);
    } finally {
      await vendor.close();
    }
  });

  it("is a warning where nobody answers", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const { findings, contact } = await examine({ mevUrl: `${server.url}/hunter2` });
    expect(findings).toEqual([
      {
        level: "warning",
        subject: "MEV API",
        found: `${server.url}: no connection: ECONNREFUSED`,
        advice: expect.stringContaining("MAINNET_MEV_URL") as string,
      },
    ]);
    expect(contact).toBeNull();
  });

  it("is asked for the latest list only while the epoch is not known", async () => {
    const vendor = await startVendor({ latest: 3, closed: null });
    try {
      const { findings } = await examine({ mevUrl: vendor.url, epoch: null });
      expect(findings[1]).toMatchObject({ level: "ok", found: expect.stringContaining("not asked") as string });
    } finally {
      await vendor.close();
    }
  });

  it.each([
    ["mainnet" as const, "none is asked, as MAINNET_MEV_URL says: the accounts on chain are read"],
    ["alpenglow" as const, "there is none for this network"],
  ])("that is not configured for %s is no problem", async (network, found) => {
    expect((await examine({ network, mevUrl: null })).findings).toMatchObject([{ level: "ok", found }]);
  });
});
