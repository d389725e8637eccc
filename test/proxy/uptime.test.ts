import { expect, it } from "vitest";
import { describeProxy, readDocument, readError } from "./_setup.ts";
import { makeMainnet, makeUptime, toPubkey } from "./fixtures.ts";

const PATH = `/api/v1/validators/${toPubkey(1)}/uptime`;

describeProxy("GET /api/v1/validators/{votePubkey}/uptime", (open) => {
  it("gives all recorded days, oldest first", async () => {
    const { request } = await open();
    expect(await readDocument("uptime", await request(PATH))).toEqual(makeUptime(toPubkey(1)));
  });

  it("sums up only the newest days asked for", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("uptime", await request(`${PATH}?days=2`));
    expect(data.map(({ date }) => date)).toEqual(["2026-11-18", "2026-11-19"]);
    expect(meta).toEqual({
      network: "mainnet",
      votePubkey: toPubkey(1),
      daysTracked: 2,
      overallUptimePercent: 99.48,
      uptimeChecks: 2_880,
      delinquentChecks: 15,
    });
  });

  it("gives what there is when more days are asked for", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("uptime", await request(`${PATH}?days=9007199254740991`));
    expect(data).toHaveLength(3);
    expect(meta).toEqual(makeUptime(toPubkey(1)).meta);
  });

  it.each(["days=0", "days=-1", "days=all", "days=", "days=1&days=2"])("refuses %s", async (query) => {
    const { request } = await open();
    await readError(await request(`${PATH}?${query}`), 400, "invalid_parameter");
  });

  it("is empty for a validator that is not known, with and without days", async () => {
    const { request } = await open();
    for (const query of ["", "?days=7"]) {
      const response = await request(`/api/v1/validators/${toPubkey(99)}/uptime${query}`);
      expect(await readDocument("uptime", response)).toEqual({
        data: [],
        meta: {
          network: "mainnet",
          votePubkey: toPubkey(99),
          daysTracked: 0,
          overallUptimePercent: 0,
          uptimeChecks: 0,
          delinquentChecks: 0,
        },
      });
    }
  });

  it("answers 503, not nonsense, when the document in the store is broken", async () => {
    const key = `api/v1/mainnet/validators/${toPubkey(1)}/uptime.json`;
    const broken = { key, body: new TextEncoder().encode('{"data":[{"date":"yesterday"}]}') };
    const { request } = await open({ published: [...makeMainnet(), broken] });
    const response = await request(`${PATH}?days=1`);
    await readError(response, 503, "upstream_unavailable");
    expect(response.headers.get("retry-after")).toBe("5");
  });
});
