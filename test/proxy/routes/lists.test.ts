import { expect, it } from "vitest";
import { searchDocumentSchema } from "../../../generator/contract/search.ts";
import { describeProxy, readBody, readDocument, readError } from "../_setup.ts";
import {
  LATEST_EPOCH,
  LIST_VERSION,
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
      listVersion: LIST_VERSION,
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

  it("names the parameter for programs, and repeats emoji whole", async () => {
    for (const query of ["limit=🦀🦀", "page=1&page=2", "votePubkeys=me", "network=devnet"]) {
      const { error } = (await (await request(`${LIST}?${query}`)).json()) as {
        error: { param?: string };
      };
      expect(error.param).toBe(query.split("=")[0]);
    }
    const message = await readError(
      await request(`${LIST}?limit=${encodeURIComponent("🦀".repeat(61))}`),
      400,
      "invalid_parameter",
    );
    expect(message).toContain(`not "${"🦀".repeat(60)}…".`);
    expect(await (await request("/api/v1/nothing")).text()).not.toContain("param");
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
    expect(message).toContain('not "A<script>xxx');
  });

  it.each([
    [
      "cb=1&cb=2&epochs=0&q&__proto__=x&constructor=y",
      ["cb", "epochs", "q", "__proto__", "constructor"],
    ],
    ["Network=testnet", ["Network"]],
    ["LIMIT=0&limit%00=0&page=1", ["LIMIT", "limit"]],
    [`${"x".repeat(100)}=1`, [`${"x".repeat(60)}…`]],
    ["%22%7D%2C%22meta%22%3A%7B=1", ['"},"meta":{']],
    [range(1, 20).join("=&"), range(1, 10).map(String)],
  ])("ignores parameters that it does not know, and names them: %j", async (query, ignored) => {
    const { data, meta } = await readDocument("validators", await request(LIST));
    const answer = await readDocument("validators", await request(`${LIST}?${query}`));
    expect(answer).toEqual({ data, meta: { ...meta, ignored } });
  });

  it.each(["", "?", "&&", "&"])("answers queries that are none: %j", async (query) => {
    const etag = (await request(LIST)).headers.get("etag");
    expect((await request(`${LIST}?${query}`)).headers.get("etag")).toBe(etag);
  });

  it("passes on fields that this proxy does not know yet", async () => {
    const index = makeIndex();
    const validators = [{ ...makeValidator(1), stars: 5 }];
    const { request } = await open({ published: [publish("index", {}, { ...index, validators })] });
    const { data } = await readDocument("validators", await request(LIST));
    expect(data[0]).toMatchObject({ stars: 5 });
  });
});

describeProxy("GET /api/v1/validators, filtered", (open) => {
  const made = [
    { name: "delta", commission: 5, appliedCommission: 100, verdict: "bad" as const },
    { name: null, commission: null, appliedCommission: null, verdict: "unknown" as const },
    { name: "Alpha", commission: 0, appliedCommission: 0, verdict: "good" as const },
    {
      name: "charlie",
      commission: 100,
      appliedCommission: 5,
      delinquent: true,
      verdict: "bad" as const,
    },
    { name: "Bravo", commission: 5.25, appliedCommission: 5, verdict: "caution" as const },
  ];
  const validators = made.map((one, index) =>
    makeValidator(index + 1, { delinquent: false, ...one }),
  );
  const published = [publish("index", {}, { ...makeIndex(), validators })];
  const list = async (query: string) => {
    const { request } = await open({ published });
    return await readDocument("validators", await request(`${LIST}?${query}`));
  };

  it.each([
    ["order=stake", [1, 2, 3, 4, 5]],
    ["order=stake&dir=asc", [5, 4, 3, 2, 1]],
    ["order=name", [3, 5, 4, 1, 2]],
    ["order=name&dir=desc", [1, 4, 5, 3, 2]],
    ["order=commission", [3, 1, 5, 4, 2]],
    ["order=appliedCommission&dir=desc", [1, 4, 5, 3, 2]],
    ["dir=asc", [5, 4, 3, 2, 1]],
    ["delinquent=true", [4]],
    ["delinquent=false&limit=2", [1, 2]],
    ["delinquent=false&limit=2&page=2", [3, 5]],
    ["commissionMin=5", [1, 4, 5]],
    ["commissionMin=5.25", [4, 5]],
    // As any program may write numbers of JSON.
    ["commissionMin=5.000000001", [4, 5]],
    ["commissionMax=5e0&commissionMin=1.0E-7", [1]],
    ["commissionMin=-0.0&commissionMax=5.00", [1, 3]],
    ["commissionMax=5", [1, 3]],
    ["commissionMin=0&commissionMax=100", [1, 3, 4, 5]],
    ["commissionMin=6&commissionMax=5", []],
    ["verdict=bad", [1, 4]],
    ["verdict=caution,bad,bad", [1, 4, 5]],
    ["verdict=bad&delinquent=false", [1]],
  ])("gives those in that order: %s", async (query, ranks) => {
    const { data } = await list(query);
    expect(data.map(({ rank }) => rank)).toEqual(ranks);
  });

  it("counts what is left by the filters", async () => {
    const { meta } = await list("verdict=bad&limit=1");
    expect(meta).toMatchObject({ total: 2, totalPages: 2, networkStake: makeIndex().networkStake });
    expect(meta).not.toHaveProperty("unknown");
  });

  it("gives the vote accounts asked for, each once, and names the others", async () => {
    const [first, gone, third] = [toPubkey(1), toPubkey(200), toPubkey(3)];
    const { data, meta } = await list(`votePubkeys=${[third, gone, first, third].join(",")}`);
    expect(data).toEqual([validators[0], validators[2]]);
    expect(meta).toMatchObject({ total: 2, unknown: [gone] });
    const filtered = await list(`votePubkeys=${first},${third}&verdict=good`);
    expect(filtered).toMatchObject({ data: [validators[2]], meta: { unknown: [] } });
  });

  it("takes 100 vote accounts, and no more", async () => {
    const keys = range(1, 101).map(toPubkey);
    const { request } = await open({ published });
    const ask = (count: number) => request(`${LIST}?votePubkeys=${keys.slice(0, count).join(",")}`);
    expect((await readDocument("validators", await ask(100))).meta.unknown).toHaveLength(95);
    expect(await readError(await ask(101), 400, "invalid_pubkey")).toBe(
      "votePubkeys takes at most 100 keys, not 101.",
    );
  });

  it.each([
    [
      "votePubkeys=abc",
      "invalid_pubkey",
      'votePubkeys must be keys with commas between, each Base58 of exactly 32 bytes, 32 to 44 characters, not "abc".',
    ],
    [
      `votePubkeys=${toPubkey(1)},`,
      "invalid_pubkey",
      'votePubkeys must be keys with commas between, each Base58 of exactly 32 bytes, 32 to 44 characters, not "".',
    ],
    [
      "order=rank",
      "invalid_parameter",
      'order must be one of stake, commission, appliedCommission, name, not "rank".',
    ],
    [
      "verdict=bad,",
      "invalid_parameter",
      'verdict must be one of bad, caution, good, unknown, or several with commas between, not "".',
    ],
    [
      "commissionMax=100.01",
      "invalid_parameter",
      'commissionMax must be a number from 0 to 100, not "100.01".',
    ],
    [
      "commissionMin=1,5",
      "invalid_parameter",
      'commissionMin must be a number from 0 to 100, not "1,5".',
    ],
    ["delinquent=1", "invalid_parameter", 'delinquent must be one of true, false, not "1".'],
  ] as const)(
    "names parameter, value and range of what it refuses: %s",
    async (query, code, message) => {
      const { request } = await open({ published });
      expect(await readError(await request(`${LIST}?${query}`), 400, code)).toBe(message);
    },
  );
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
    [
      "?epochs=50&severity=RUG",
      { epochs: 50, severity: "RUG", severities: ["RUG"] },
      [first, fourth, fifth],
    ],
    [
      "?epochs=50&severity=INFO,RUG,INFO",
      { epochs: 50, severity: null, severities: ["RUG", "INFO"] },
      [first, second, fourth, fifth],
    ],
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

  it("gives those of one source, or of one vote account", async () => {
    const events = [
      makeEvent({ id: "1", source: "MEV" }),
      makeEvent({ id: "2", source: "COMMISSION" }),
      makeEvent({ id: "3", source: "COMMISSION", votePubkey: toPubkey(2) }),
    ];
    const { request } = await open({ published: [publish("index", {}, makeIndex({ events }))] });
    const idsOf = async (query: string) => {
      const { data } = await readDocument("events", await request(`/api/v1/events?${query}`));
      return data.map(({ id }) => id);
    };
    expect(await idsOf("source=MEV")).toEqual(["1"]);
    expect(await idsOf("source=COMMISSION")).toEqual(["2", "3"]);
    expect(await idsOf(`votePubkey=${toPubkey(2)}`)).toEqual(["3"]);
    expect(await idsOf(`votePubkey=${toPubkey(2)}&source=MEV`)).toEqual([]);
    const refused = await request("/api/v1/events?votePubkey=me");
    await readError(refused, 400, "invalid_pubkey");
  });

  it("leaves transaction and costs out of compact events, and nothing else", async () => {
    const answer = await request("/api/v1/events?fields=compact");
    const { data } = (await answer.json()) as { data: object[] };
    const { transaction, cost, mevCost, ...rest } = first!;
    expect([transaction, cost, mevCost]).toEqual([null, null, null]);
    expect(data[0]).toEqual(rest);
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
      verdict: "bad",
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
