import { expect, it } from "vitest";
import { describeProxy, readDocument, readError } from "./_setup.ts";
import { makeIndex, makeValidator, publish, SEEN_AT, toPubkey, VALIDATORS } from "./fixtures.ts";

describeProxy("GET /api/v1/validators", (open) => {
  it("gives the first 50 by rank, with the sums of all", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("validators", await request("/api/v1/validators"));
    expect(data.map((validator) => validator.rank)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(data[0]).toEqual(makeValidator(1));
    expect(meta).toEqual({
      network: "mainnet",
      page: 1,
      limit: 50,
      total: VALIDATORS,
      totalPages: 2,
      networkStake: { lamports: "1200000000000000000", sol: 1_200_000_000 },
      snapshotAt: SEEN_AT,
    });
  });

  it("gives the page asked for", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("validators", await request("/api/v1/validators?page=4&limit=7"));
    expect(data.map((validator) => validator.rank)).toEqual([22, 23, 24, 25, 26, 27, 28]);
    expect(meta).toMatchObject({ page: 4, limit: 7, total: VALIDATORS, totalPages: 9 });
  });

  it("takes the bounds of limit, and fills the last page with what is left", async () => {
    const { request } = await open();
    const one = await readDocument("validators", await request("/api/v1/validators?limit=1&page=60"));
    expect(one.data.map((validator) => validator.votePubkey)).toEqual([toPubkey(60)]);
    expect(one.meta.totalPages).toBe(60);
    const all = await readDocument("validators", await request("/api/v1/validators?limit=100"));
    expect(all.data).toHaveLength(VALIDATORS);
    const rest = await readDocument("validators", await request("/api/v1/validators?page=2"));
    expect(rest.data).toHaveLength(VALIDATORS - 50);
  });

  it.each(["page=3", "page=9007199254740991&limit=100"])("is empty past the end: %s", async (query) => {
    const { request } = await open();
    const { data, meta } = await readDocument("validators", await request(`/api/v1/validators?${query}`));
    expect(data).toEqual([]);
    expect(meta.total).toBe(VALIDATORS);
  });

  it.each([
    "limit=0",
    "limit=101",
    "page=0",
    "page=-1",
    "page=%2B1",
    "page=1.0",
    "page=1e1",
    "page=0x1",
    "page=01",
    "page=",
  ])("refuses %s", async (query) => {
    const { request } = await open();
    const message = await readError(await request(`/api/v1/validators?${query}`), 400, "invalid_parameter");
    expect(message).toMatch(/^(page|limit) must be a whole number from 1 to \d+, not "/);
  });

  it.each(["page=%201", "page=1%20", "page=9007199254740992", "page=99999999999999999999", "page=%D9%A1", "page=1%00"])(
    "refuses %s",
    async (query) => {
      const { request } = await open();
      await readError(await request(`/api/v1/validators?${query}`), 400, "invalid_parameter");
    },
  );

  it("names parameter, value and range of what it refuses", async () => {
    const { request } = await open();
    const message = await readError(await request("/api/v1/validators?limit=101"), 400, "invalid_parameter");
    expect(message).toBe('limit must be a whole number from 1 to 100, not "101".');
  });

  it("repeats no control, bidirectional or endless text of what it refuses", async () => {
    const { request } = await open();
    const value = encodeURIComponent(`\u0007\u202e\u200bA<script>${"x".repeat(1_000)}`);
    const message = await readError(await request(`/api/v1/validators?limit=${value}`), 400, "invalid_parameter");
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(message.length).toBeLessThan(150);
    expect(message).toContain('not "?A<script>xxx');
  });

  it("refuses a parameter given twice, also with one value", async () => {
    const { request } = await open();
    const message = await readError(await request("/api/v1/validators?page=1&page=1"), 400, "invalid_parameter");
    expect(message).toBe("page is given more than once.");
  });

  it("ignores parameters it does not know, however often they come", async () => {
    const { request } = await open();
    const plain = await request("/api/v1/validators");
    const decorated = await request("/api/v1/validators?cb=1&cb=2&epochs=0&q&__proto__=x&constructor=y");
    expect(decorated.status).toBe(200);
    expect(decorated.headers.get("etag")).toBe(plain.headers.get("etag"));
  });

  it("passes on fields that this proxy does not know yet", async () => {
    const { world, request } = await open({ published: [] });
    const index = makeIndex({ validators: [{ ...makeValidator(1), stars: 5 } as never] });
    const [validator] = index.validators;
    await world.put(publish("index", {}, { ...index, validators: [{ ...validator, stars: 5 } as never] }));
    const { data } = await readDocument("validators", await request("/api/v1/validators"));
    expect(data[0]).toMatchObject({ stars: 5 });
  });

  it("is empty for a network without data", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("validators", await request("/api/v1/validators?network=testnet&page=2"));
    expect(data).toEqual([]);
    expect(meta).toEqual({
      network: "testnet",
      page: 2,
      limit: 50,
      total: 0,
      totalPages: 0,
      networkStake: { lamports: "0", sol: 0 },
      snapshotAt: null,
    });
  });

  it("tells the networks apart", async () => {
    const { world, request } = await open();
    const validators = [makeValidator(1, { name: "Only here" })];
    await world.put(publish("index", {}, makeIndex({ network: "alpenglow", validators }), "alpenglow"));
    const { data, meta } = await readDocument("validators", await request("/api/v1/validators?network=alpenglow"));
    expect(data.map((validator) => validator.name)).toEqual(["Only here"]);
    expect(meta).toMatchObject({ network: "alpenglow", total: 1 });
  });
});
