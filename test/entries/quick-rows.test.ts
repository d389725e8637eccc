import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkEntrySchema } from "../../generator/entries/entry.ts";
import {
  accountRow,
  checkRow,
  creditsChange,
  infoRow,
  listedRow,
  locationRow,
  mevRow,
  nodeRow,
  productionRow,
  snapshotRow,
  stakeAccountsRow,
  tip,
  tipShare,
} from "../../generator/entries/rows.ts";
import {
  quickRows,
  readAccountRow,
  readCheckRow,
  readCreditsChange,
  readInfoRow,
  readListedRow,
  readLocationRow,
  readMevRow,
  readNodeRow,
  readProductionRow,
  readSnapshotRow,
  readStakeAccountsRow,
  readTip,
  readTipShare,
} from "../../generator/entries/quick-rows.ts";
import { check } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";
import { SOAK } from "../soak/soak.ts";

const good = {
  vote: keyOf("A"),
  basisPoints: 500,
  percent: 5,
  delinquent: false,
  activeStake: "38263229364446901",
  identity: keyOf("identity of A"),
  inValidatorSet: true,
  credits: [[1100, "500", "400"]],
};

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    "",
    "0",
    "-1",
    "01",
    "1.0",
    0,
    -0,
    -1,
    0.5,
    255,
    256,
    65_535,
    65_536,
  ),
  fc.constantFrom<unknown>(
    2 ** 53,
    NaN,
    Infinity,
    7n,
    -7n,
    0n,
    [],
    {},
    "9".repeat(20),
    "9".repeat(21),
    "١",
  ),
  fc.constantFrom<unknown>(
    good.vote,
    `${good.vote} `,
    "O".repeat(40),
    `${good.vote}\n`,
    "1".repeat(31),
    "1".repeat(45),
  ),
  fc.array(fc.oneof(fc.constant(null), fc.tuple(fc.nat(), fc.bigInt().map(String), fc.bigInt())), {
    maxLength: 66,
  }),
  fc.array(fc.anything(), { maxLength: 4 }),
  fc.anything(),
);

const anyRow = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(good), "more"), anyValue, fc.boolean()), {
    maxLength: 2,
  })
  .map((changes) => {
    const row = new Map<string, unknown>(Object.entries(good));
    for (const [name, value, isThere] of changes) {
      if (isThere) row.set(name, value);
      else row.delete(name);
    }
    return Object.fromEntries(row);
  });

describe.each([
  ["check", checkRow, quickRows(checkRow, readCheckRow)],
  ["snapshot", snapshotRow, quickRows<z.ZodType>(snapshotRow, readSnapshotRow)],
])("rows of a %s read by hand", (_, row, quick) => {
  it("are what zod makes of them, and refused where it refuses them", () => {
    const verdicts = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(fc.oneof(anyRow, fc.anything()), { maxLength: 3 }), (rows) => {
        const [law, fast] = [z.array<z.ZodType>(row).safeParse(rows), quick.safeParse(rows)];
        expect(fast.success).toBe(law.success);
        expect(fast.data).toStrictEqual(law.data);
        if (law.success) expect(fast.data?.map(keysInOrder)).toEqual(law.data.map(keysInOrder));
        verdicts[law.success ? "taken" : "refused"] += 1;
      }),
      { numRuns: 1_000 * SOAK },
    );
    expect(verdicts.taken).toBeGreaterThan(300);
    expect(verdicts.refused).toBeGreaterThan(300);
  });

  it("are refused with the place and the reason of zod", () => {
    const rows = [good, { ...good, basisPoints: 65_536 }];
    const [law, fast] = [z.array<z.ZodType>(row).safeParse(rows), quick.safeParse(rows)];
    const said = (error: z.ZodError | undefined) =>
      error?.issues.map(({ path, message }) => ({ path, message }));
    expect(said(fast.error)).toEqual(said(law.error));
    expect(said(fast.error)?.[0]?.path).toEqual([1, "basisPoints"]);
  });
});

const columns = (...some: fc.Arbitrary<unknown>[]) =>
  fc.oneof(
    fc.tuple(...some.map((one) => fc.oneof({ weight: 9, arbitrary: one }, anyValue))),
    anyValue,
  );
const fields = (some: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(some).map(([name, one]) => [
        name,
        fc.oneof({ weight: 19, arbitrary: one }, anyValue),
      ]),
    ),
    { requiredKeys: Object.keys(some).slice(1) },
  );
const key = fc.constant<unknown>(good.vote);
const text = fc.oneof(
  { weight: 19, arbitrary: fc.constantFrom<unknown>(null, "", "Frankfurt", "x".repeat(512)) },
  fc.constant<unknown>("x".repeat(513)),
);
const basisPoints = fc.constantFrom<unknown>(null, 0, 65_535);
const amount = fc.constantFrom<unknown>("0", good.activeStake, 7n);

it.each<[string, z.ZodType, (value: unknown) => unknown, fc.Arbitrary<unknown>]>([
  [
    "accounts",
    accountRow,
    readAccountRow,
    columns(basisPoints, fc.constantFrom(null, 255), key, basisPoints),
  ],
  ["blocks", productionRow, readProductionRow, columns(key, fc.nat(), fc.nat())],
  [
    "stake accounts",
    stakeAccountsRow,
    readStakeAccountsRow,
    columns(key, amount, amount, fc.nat()),
  ],
  [
    "changes of credits",
    creditsChange,
    readCreditsChange,
    columns(
      fc.nat(),
      fc.array(fc.oneof(fc.constant(null), fc.tuple(fc.nat(), amount, amount)), { maxLength: 3 }),
    ),
  ],
  ["tips", tip, readTip, columns(key, fc.nat()).map((row) => toTip(row))],
  ["shares of tips", tipShare, readTipShare, columns(basisPoints)],
  [
    "nodes",
    nodeRow,
    readNodeRow,
    fields({ ip: text, identity: key, version: text, clientId: fc.oneof(text, fc.nat()) }),
  ],
  [
    "names",
    infoRow,
    readInfoRow,
    fields({ name: text, identity: key, account: key, website: text, iconUrl: text }),
  ],
  [
    "MEV",
    mevRow,
    readMevRow,
    fields({
      runningBam: fc.constantFrom(null, true),
      vote: key,
      mevBasisPoints: basisPoints,
      priorityFeeBasisPoints: basisPoints,
    }),
  ],
  [
    "places",
    locationRow,
    readLocationRow,
    fields({
      asn: fc.constantFrom(null, 24_940),
      ...{ identity: key, country: text, countryCode: text, city: text, asnOrganization: text },
    }),
  ],
  [
    "lists of witnesses",
    listedRow,
    readListedRow,
    fields({
      percent: fc.constantFrom(null, 255),
      ...{ vote: key, basisPoints, delinquent: fc.boolean(), activeStake: amount },
      ...{ identity: key, inValidatorSet: fc.boolean() },
    }),
  ],
])("rows of %s read by hand are what zod makes of them", (_, row, read, rows) => {
  const quick = quickRows(row, read);
  let taken = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: rows }, fc.constant(null)), { maxLength: 2 }),
      (some) => {
        const [law, fast] = [z.array(row).safeParse(some), quick.safeParse(some)];
        expect(fast.success).toBe(law.success);
        expect(fast.data).toStrictEqual(law.data);
        if (law.success && some.length > 0) taken += 1;
      },
    ),
    { numRuns: 300 * SOAK },
  );
  expect(taken).toBeGreaterThan(30);
});

function toTip(row: unknown): unknown {
  return Array.isArray(row) ? { vote: row[0] as unknown, epoch: row[1] as unknown } : row;
}

it("an entry tells where the row is that it is refused for", () => {
  const entry = check(0, [{ name: "A" }, { name: "B" }]);
  const { error } = checkEntrySchema.safeParse({
    ...entry,
    votes: [entry.votes[0], { ...entry.votes[1], vote: "no key" }],
  });
  expect(error?.issues[0]?.path).toEqual(["votes", 1, "vote"]);
  expect(checkEntrySchema.safeParse({ ...entry, votes: undefined }).success).toBe(false);
});

function keysInOrder(row: unknown): string[] {
  return Object.keys(row as object);
}
