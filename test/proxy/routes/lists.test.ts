import { expect, it } from "vitest";
import { searchDocumentSchema } from "../../../generator/contract/search.ts";
import { describeProxy, readBody, readDocument, readError } from "../_setup.ts";
import {
  LATEST_EPOCH,
  makeEvent,
  makeIndex,
  makeUnlisted,
  makeValidator,
  publish,
  SEEN_AT,
  toPubkey,
  toStake,
  TRACKED_EPOCHS,
  VALIDATORS,
} from "../fixtures.ts";

const LIST = "/api/v1/validators";
const range = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index);

describeProxy("GET /api/v1/validators", (open, request) => {
  it.each([
    ["", range(1, 50), { page: 1, limit: 50, totalPages: 2 }],
    ["?page=4&limit=7", range(22, 7), { page: 4, limit: 7, totalPages: 9 }],
  ])("gives the page asked for by rank, with the sums of all: %j", async (query, ranks, asked) => {
    const { data, meta } = await readDocument("validators", await request(LIST + query));
    expect(data).toEqual(ranks.map((rank) => makeValidator(rank)));
    const networkStake = { lamports: "1200000000000000000", sol: 1_200_000_000 };
    expect(meta).toEqual({
      network: "mainnet",
      ...asked,
      total: VALIDATORS,
      networkStake,
      snapshotAt: SEEN_AT,
    });
  });

  it.each([
    ["limit=101", 'limit must be a whole number from 1 to 100, not "101".'],
    ["page=0", 'page must be a whole number from 1 to 9007199254740991, not "0".'],
    ["page=1&page=1", "page is given more than once."],
    ["limit=1&%6cimit=2", "limit is given more than once."],
    ["limit", 'limit must be a whole number from 1 to 100, not "".'],
  ])("names parameter, value and range of what it refuses: %s", async (query, message) => {
    expect(await readError(await request(`${LIST}?${query}`), 400, "invalid_parameter")).toBe(
      message,
    );
  });

  it("repeats no control, bidirectional or endless text of what it refuses", async () => {
    const value = encodeURIComponent(`\u0007\u202e\u200bA<script>${"x".repeat(1_000)}`);
    const message = await readError(
      await request(`${LIST}?limit=${value}`),
      400,
      "invalid_parameter",
    );
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(message.length).toBeLessThan(150);
    expect(message).toContain('not "?A<script>xxx');
  });

  it("ignores parameters it does not know, and queries that are none", async () => {
    const etag = (await request(LIST)).headers.get("etag");
    const queries = [
      "cb=1&cb=2&epochs=0&q&__proto__=x&constructor=y",
      "",
      "?",
      "&&=&",
      "=",
      "%ZZ",
      "%ZZ=%ZZ",
      "a=%",
    ];
    for (const query of [...queries, ";limit=0", "LIMIT=0", "limit%00=0"]) {
      const response = await request(`${LIST}?${query}`);
      expect([query, response.status, response.headers.get("etag")]).toEqual([query, 200, etag]);
    }
  });

  it("passes on fields that this proxy does not know yet", async () => {
    const index = makeIndex();
    const validators = [{ ...makeValidator(1), stars: 5 }];
    const { request } = await open({ published: [publish("index", {}, { ...index, validators })] });
    const { data } = await readDocument("validators", await request(LIST));
    expect(data[0]).toMatchObject({ stars: 5 });
  });
});

describeProxy("a number", (_, request) => {
  const spellings = [
    "0x1",
    "1e1",
    "+1",
    "-1",
    "-0",
    "01",
    "1.0",
    " 1",
    "1 ",
    "1_0",
    "１",
    "٣",
    "",
    "NaN",
    "Infinity",
  ];
  it.each([...spellings, "1\0", "1,2", "9007199254740992", "9".repeat(400)])(
    "is not spelt %j",
    async (text) => {
      const value = encodeURIComponent(text);
      await readError(await request(`${LIST}?limit=${value}`), 400, "invalid_parameter");
    },
  );
});

describeProxy("GET /api/v1/events", (open, request) => {
  const [first, second, third, fourth, fifth] = makeIndex().events;

  it.each([
    ["", { epochs: 10, severity: null }, [first, second, third]],
    ["?epochs=50", { epochs: 50, severity: null }, [first, second, third, fourth, fifth]],
    ["?epochs=50&severity=RUG", { epochs: 50, severity: "RUG" }, [first, fourth, fifth]],
  ])("counts epoch numbers and filters: %j", async (query, asked, events) => {
    const { data, meta } = await readDocument("events", await request(`/api/v1/events${query}`));
    expect(data).toEqual(events);
    const validators = [expect.objectContaining({ votePubkey: makeEvent().votePubkey })];
    expect(meta).toEqual({
      network: "mainnet",
      total: data.length,
      latestEpoch: LATEST_EPOCH,
      ...asked,
      validators,
    });
  });

  it("leaves repeats of a pattern out when it is asked to, of each severity but the newest", async () => {
    const ofPattern = {
      kind: "serial_flip",
      source: "COMMISSION",
      from: 0,
      to: 100,
      epochs: 3,
      ofEpochs: 3,
    } as const;
    const pattern = { ...ofPattern, firstEpoch: 7, lastEpoch: LATEST_EPOCH, changes: 5 };
    const events = (["INFO", "RUG", "INFO", "RUG"] as const).map((severity, at) =>
      makeEvent({ severity, pattern, id: `${at}` }),
    );
    const { request } = await open({ published: [publish("index", {}, makeIndex({ events }))] });
    const ids = async (query: string) => {
      const { data, meta } = await readDocument("events", await request(`/api/v1/events?${query}`));
      expect(meta.total).toBe(data.length);
      return data.map(({ id }) => id).join("");
    };
    expect(await ids("collapse=false")).toBe("0123");
    expect(await ids("collapse=true")).toBe("0");
    expect(await ids("severity=RUG&collapse=true")).toBe("1");
  });
});

describeProxy("GET /api/v1/stats/rugs-per-epoch", (_, request) => {
  it.each([
    ["", range(LATEST_EPOCH - 9, 10), { epochs: 10, offset: 0 }],
    ["?epochs=3&offset=5", range(LATEST_EPOCH - 7, 3), { epochs: 3, offset: 5 }],
  ])(
    "gives epochs oldest first, those without a RUG too, back from the newest: %j",
    async (query, epochs, asked) => {
      const { data, meta } = await readDocument(
        "rugsPerEpoch",
        await request(`/api/v1/stats/rugs-per-epoch${query}`),
      );
      expect(data.map(({ epoch, totalEvents }) => [epoch, totalEvents])).toEqual(
        epochs.map((one) => [one, one % 3]),
      );
      const sums = {
        latestEpoch: LATEST_EPOCH,
        total: TRACKED_EPOCHS,
        global: makeIndex().rugsGlobal,
      };
      expect(meta).toMatchObject({ network: "mainnet", ...asked, ...sums });
    },
  );
});

describeProxy("GET /api/v1/search", (open, request) => {
  const NAMES = ["Beta Staking", "Beta", "Alphabeta", "Straße", "Ωmega ΣΑΣ", "Ｗide", 'a<b>&"c"'];
  const MORE = ["Café", "ﬁnch", "😀😀 Stake", "İstanbul", "ΟΔΟΣ", "(a+)+$", ".*"];
  const validators = [...NAMES, ...MORE].map((name, index) => makeValidator(index + 1, { name }));
  const unlisted = [
    makeUnlisted(200, { name: "Beta" }),
    makeUnlisted(201, { name: null, rank: null }),
  ];
  const published = [publish("index", {}, makeIndex({ validators, unlisted }))];

  async function openSearch(options: Parameters<typeof open>[0] = { published }) {
    const { request } = await open(options);
    const ask = (q: string) => request(`/api/v1/search?q=${q}`);
    return {
      ask,
      search: async (q: string) => readBody(await ask(encodeURIComponent(q)), searchDocumentSchema),
    };
  }

  it("answers with all that a result list shows", async () => {
    const { search } = await openSearch();
    const result = {
      votePubkey: toPubkey(3),
      name: "Alphabeta",
      iconUrl: null,
      identityPubkey: toPubkey(103),
      rank: 3,
      activeStake: toStake(19_999_999_999_999_998n),
      delinquent: false,
    };
    const meta = { network: "mainnet", total: 1, query: "alphabeta" };
    expect(await search("alphabeta")).toEqual({ data: [result], meta });
  });

  it("gives at most 20, and counts what it gives", async () => {
    const { search } = await openSearch({});
    const { data, meta } = await search("validator");
    expect(data.map(({ rank }) => rank)).toEqual(range(1, 20));
    expect(meta).toEqual({ network: "mainnet", total: 20, query: "validator" });
  });

  it.each([
    ["straße", "Straße"],
    ["STRASSE", "Straße"],
    ["σας", "Ωmega ΣΑΣ"],
    ["σασ", "Ωmega ΣΑΣ"],
    ["Cafe\u0301", "Café"],
    ["CAFÉ", "Café"],
    ["😀😀", "😀😀 Stake"],
    ["οδος", "ΟΔΟΣ"],
    ["(a+)+$", "(a+)+$"],
    [".*", ".*"],
    ["%ZZ", null],
    ["Cаfе", null],
    ["\0\0", null],
    ["\u0301".repeat(500), null],
    ["a".repeat(100), null],
    ["a".repeat(2_000), null],
    ["<script>", null],
    ["\\\\", null],
    ['"},{"', null],
  ])("finds what %j names, and says that it searched for it", async (text, name) => {
    const { search } = await openSearch();
    const { data, meta } = await search(text);
    expect(data.map((found) => found.name)).toEqual(name === null ? [] : [name]);
    expect(meta).toEqual({ network: "mainnet", total: data.length, query: text.normalize("NFC") });
  });

  it.each([
    "%ed%a0%80%ed%a0%80",
    "%ff%fe",
    "%c0%af%c0%af",
    "%f8%88%80%80%80",
    "%e0%80%ae%e0%80%ae",
    "%E0%A4%A&%",
  ])("need not be asked in UTF-8 to have an answer: %s", async (bytes) => {
    const { ask } = await openSearch();
    const { data, meta } = await readBody(await ask(bytes), searchDocumentSchema);
    expect(data).toEqual([]);
    expect(meta.query.isWellFormed()).toBe(true);
  });

  it("trims, refuses to search without q, and finds nothing in a network without data", async () => {
    const { ask } = await openSearch();
    const { meta } = await readBody(await ask("%20cafe%CC%81+%20"), searchDocumentSchema);
    expect(meta.query).toBe("café");
    const missing = await readError(await request("/api/v1/search"), 400, "invalid_parameter");
    expect(missing).toBe("q must be at least 2 characters, and is missing.");
    const none = await readBody(await ask("beta&network=testnet"), searchDocumentSchema);
    expect(none).toEqual({ data: [], meta: { network: "testnet", total: 0, query: "beta" } });
  });
});
