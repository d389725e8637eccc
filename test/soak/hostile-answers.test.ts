import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeTransaction, encodeSignature } from "../../generator/chain/transaction.ts";
import { entrySchema } from "../../generator/entries/entry.ts";
import { createRedactor } from "../../generator/rpc/redaction.ts";
import { parseAnswer, parseBody } from "../../generator/rpc/answer.ts";
import { readVoteAccounts } from "../../generator/observe/vote-accounts.ts";
import { CLOSED_EPOCH, EPOCH, healthyNode, voteAccount, voteRow } from "../observe/cluster.ts";
import { key, withReader } from "../observe/fixtures.ts";
import { asking, entryOf, observe, servers, WHOLE_SIDES } from "../observe/observing.ts";
import {
  HEAD,
  historyNode,
  read,
  resultOf as transactionOf,
  search,
  type Result,
} from "../observe/transactions/history-node.ts";
import { toJson } from "../cluster/rpc/json.ts";
import { resultOf, startServer, type Methods } from "../rpc/rpc-server.ts";

/** Odd JSON, as text: JavaScript has no value for some of it. */
const ODD_VALUES = [
  "null",
  "true",
  "-0",
  "-1",
  "0.5",
  "1e999",
  "-1e999",
  "9007199254740993",
  "18446744073709551615",
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"1"',
  `"${"x".repeat(70_000)}"`,
  "[]",
  "[[]]",
  "[null,null,null]",
  "{}",
  '{"toString":1,"valueOf":1}',
  '{"__proto__":null,"constructor":1}',
  `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
];

const PLACE = "here stands something else";

function findPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, member]) => findPaths(member, [...path, name])),
  ];
}

function replaceAt(answer: unknown, path: string[], odd: string): string {
  const copy = structuredClone({ answer }) as Record<string, unknown>;
  const all = ["answer", ...path];
  const holder = all.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy);
  holder[all.at(-1) ?? ""] = PLACE;
  return toJson(copy["answer"]).replace(`"${PLACE}"`, () => odd);
}

const SHARES = {
  mev_commission_bps: 800,
  priority_fee_commission_bps: 5000,
  running_jito: true,
  running_bam: false,
};
const ANSWERS: Methods = {
  ...healthyNode(),
  getRecentPerformanceSamples: [{ slot: 5, numSlots: 300, samplePeriodSecs: 60 }],
  getMultipleAccounts: ([keys]: [string[]]) => ({
    context: { slot: 455_000_123 },
    value: keys.map((_, index) => (index === 0 ? voteAccount(700) : null)),
  }),
  "the vendor": {
    validators: [{ vote_account: key(1), ...SHARES, active_stake: 5, mev_rewards: 3 }],
  },
};
/** Whose accounts a check reads. */
const ANSWERS_IN_PERCENT: Methods = {
  ...ANSWERS,
  getVoteAccounts: {
    current: [voteRow(1, { inflationRewardsCommissionBps: undefined })],
    delinquent: [],
  },
};

const ESSENTIALS = ["getGenesisHash", "getHealth", "getEpochInfo", "getVoteAccounts"];
/** Each may fail without the others, so that all can be odd at once. */
const SIDES = Object.keys(ANSWERS).filter((method) => !ESSENTIALS.includes(method));

/** Of which one is of version 1. */
const HISTORY = ["v0-1234", "v1-all-settings-percent-6-then-678"].map((name): [string, Result] => {
  const result = transactionOf(name);
  const [first] = decodeTransaction(Buffer.from(result.transaction[0], "base64")).signatures;
  return [encodeSignature(first!), { ...result, slot: HEAD }];
});
const HISTORY_ANSWERS: Methods = {
  ...healthyNode(),
  ...historyNode({
    rows: HISTORY.map(([signature]) => ({ signature, slot: HEAD, err: null })),
    results: new Map(HISTORY),
  }),
};

async function startOdd(odd: string, answers = ANSWERS) {
  let [oddMethods, oddPlace, isPlaced]: [string[], number, boolean] = [[], 0, false];
  const answer = (method: string, params: unknown[]) => {
    const honest = resultOf(answers, method, params);
    const path = findPaths(honest)[oddPlace];
    if (!oddMethods.includes(method) || path === undefined) return toJson(honest ?? null);
    isPlaced = true;
    return replaceAt(honest, path, odd);
  };
  const server = await startServer(({ path, body }, response) => {
    if (path.includes("/api/v1/")) return void response.end(answer("the vendor", []));
    const result = answer(body?.method ?? "", body?.params ?? []);
    response.end(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
  });
  servers.push(server);
  const { observer } = await observe([], { endpoints: [server.url], mevUrl: server.url });
  return {
    observer,
    inEachPlace: async (methods: string[], work: () => Promise<void>): Promise<void> => {
      oddMethods = methods;
      for (oddPlace = 0; oddPlace === 0 || isPlaced; oddPlace += 1) {
        isPlaced = false;
        await work();
      }
      expect(oddPlace).toBeGreaterThan(1);
    },
  };
}

describe.each(ODD_VALUES.map((odd) => [odd.slice(0, 40), odd]))(
  "%s, in any place of any answer,",
  (_, odd) => {
    it("costs a snapshot no more than the sections it is in", async () => {
      const { observer, inEachPlace } = await startOdd(odd);
      const tips = [{ vote: key(1), epoch: EPOCH - 1 }];
      const closed = { ...CLOSED_EPOCH, identities: [key(101)] };
      await inEachPlace(SIDES, async () => {
        const mev = { tips, controls: tips, closed, tipAmounts: tips, priorityFees: [key(1)] };
        const request = asking({ ...WHOLE_SIDES, readRewards: true, ...mev });
        const observed = await observer.snapshot({ ...request, expected: [key(9)] });
        expect(entrySchema.parse(entryOf(observed))).toEqual(entryOf(observed));
      });
    });

    it.each([
      { lists: "basis points", answers: ANSWERS, methods: ESSENTIALS },
      {
        lists: "percents",
        answers: ANSWERS_IN_PERCENT,
        methods: ["getVoteAccounts", "getMultipleAccounts"],
      },
    ])(
      "leaves a check of lists in $lists that can be journaled, or is refused with a reason",
      async (lists) => {
        const { observer, inEachPlace } = await startOdd(odd, lists.answers);
        for (const method of lists.methods)
          await inEachPlace([method], async () => {
            const observed = await observer.check({ isClear: () => false });
            if (observed.passed) expect(entrySchema.parse(observed.entry)).toEqual(observed.entry);
            else expect(observed.reason).not.toBe("");
          });
      },
    );

    it("leaves a search for transactions that can be journaled, or is refused with a reason", async () => {
      const { observer, inEachPlace } = await startOdd(odd, HISTORY_ANSWERS);
      for (const method of [
        "getSignaturesForAddress",
        "getTransaction",
        "getFirstAvailableBlock",
        "getEpochSchedule",
      ])
        await inEachPlace([method], async () => {
          const observed = await read(observer, search());
          if (observed.passed) expect(entrySchema.parse(observed.entry)).toEqual(observed.entry);
          else expect(observed.reason).not.toBe("");
        });
    });
  },
);

describe("an answer at length", () => {
  it.each(["1", "[]", "{}"])("of millions of %s is refused before any of them is made", (value) => {
    const body = `{"id":1,"result":[${`${value},`.repeat(500_000)}1]}`;
    expect(() => parseAnswer(body, z.unknown())).toThrow("the answer has more than 500000 values");
  });

  it("is refused also when its values are nested", () => {
    expect(() => parseBody("[".repeat(600_000))).toThrow("more than 500000 values");
  });

  it("has every vote account of a cluster three times as large as mainnet, and is read", () => {
    const credits = JSON.stringify(Array.from({ length: 5 }, (_, index) => [index, 5, 4]));
    const row = `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":true,"g":${credits},"h":1,"i":1}`;
    expect(parseBody(`[${`${row},`.repeat(9_999)}${row}]`)).toHaveLength(10_000);
  });

  const long = "x".repeat(30_000_000);
  it.each<[string, string, z.ZodType, RegExp]>([
    ["no JSON", long, z.unknown(), /^.{1,70000}$/],
    ["an error", `{"error":{"code":1,"message":"${long}"}}`, z.unknown(), /^.{1,70000}$/],
    ["an error as text", `{"error":"${long}"}`, z.unknown(), /^.{1,70000}$/],
    [
      "half a million places that do not fit",
      `{"id":1,"result":[${"1,".repeat(400_000)}1]}`,
      z.array(z.string()),
      /^unexpected shape .{0,400}$/,
    ],
  ])("is told in a few words, before it is searched for secrets: %s", (_, body, schema, words) => {
    expect(() => parseAnswer(body, schema)).toThrow(words);
  });

  it("does not keep half a secret at the cut", () => {
    const redact = createRedactor(new URL(`https://rpc.example/${"secret-key".repeat(4)}`));
    const parse = () => parseBody("secret-key".repeat(40_000));
    expect(parse).toThrow("secret-key");
    expect(parse).toThrow(
      expect.toSatisfy(({ message }: Error) => !redact(message).includes("secret")),
    );
  });

  it("in rows that cannot be read is counted, and told of the first", async () => {
    const rows = `"one",${"1,".repeat(200_000)}1`;
    const server = await startServer((_, response) => {
      response.end(`{"id":1,"result":{"current":[${rows}],"delinquent":[${rows}]}}`);
    });
    servers.push(server);
    const { unreadable } = await withReader(server.url, (reader) => readVoteAccounts(reader));
    expect(unreadable.count).toBe(400_004);
    expect(unreadable.example).toContain("received string");
    expect(unreadable.example.length).toBeLessThanOrEqual(200);
  });
});
