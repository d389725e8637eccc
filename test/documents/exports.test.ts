import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { fromObjectKey, toObjectKey } from "../../generator/contract/object-keys.ts";
import type { ExportTable } from "../../generator/contract/export-tables.ts";
import { compareText } from "../../generator/contract/lists.ts";
import type { DocumentOf, ObjectReference } from "../../generator/contract/objects.ts";
import { compareEvents } from "../../generator/documents/event-lists.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { foldOnto } from "../story/fold.ts";
import { storyWithHistories } from "../story/random/stories.ts";
import {
  EPOCH,
  ledgerOf,
  recordCommissions,
  recordStake,
  transactionOf,
  voteOf,
} from "./fixtures.ts";
import { read, readDocument } from "./read.ts";
import { readCsvExport, readParquetExport, type ExportRow } from "./read-exports.ts";
import { SOAK } from "../soak/soak.ts";

const LARGEST_STAKE = 2n ** 64n - 2n;

/** Two closed epochs' worth: events, a name that is a formula, stakes that no double holds, a day. */
function closedLedger(): Ledger {
  const ledger = ledgerOf({
    validators: [{ name: "=cmd()" }, { name: "two" }, { name: "left", listed: false }],
    events: [
      { of: "=cmd()", epoch: EPOCH - 1, from: 500, to: 425, transaction: transactionOf(425) },
      {
        of: "two",
        epoch: EPOCH - 1,
        source: "MEV",
        from: "disabled",
        to: 9500,
        createdAt: null,
        confirmed: false,
      },
      { of: "two", epoch: EPOCH },
    ],
  });
  recordCommissions(ledger, "=cmd()", { [EPOCH - 1]: { inflation: 725, mev: "disabled" } });
  recordStake(ledger, "=cmd()", { epoch: EPOCH - 1, lamports: LARGEST_STAKE, rank: 1 });
  recordStake(ledger, "two", { epoch: EPOCH - 1, lamports: 2n ** 53n + 1n, rank: 2 });
  recordStake(ledger, "two", { epoch: EPOCH, lamports: 7n, rank: 1 });
  ledger.uptime.checks.set("2026-11-19", Uint16Array.of(1_440, 1_000, 0));
  ledger.uptime.delinquentChecks.set("2026-11-19", Uint16Array.of(0, 250, 0));
  ledger.uptime.checks.set("2026-12-01", Uint16Array.of(60, 60, 0));
  return ledger;
}

test("the stakes and commissions of a closed epoch are read back as they are recorded, the largest stake first", () => {
  const { csv, parquet } = readHistory(closedLedger(), EPOCH - 1);
  const [one, two] = ["=cmd()", "two"].map((name) => ({
    epoch: EPOCH - 1,
    votePubkey: voteOf(name),
    ...NO_COMMISSIONS,
  }));
  expect(csv).toEqual([
    { ...one, activeStakeLamports: LARGEST_STAKE, rank: 1, commission: 7.25, paid: true },
    { ...two, activeStakeLamports: 9007199254740993n, rank: 2 },
  ]);
  expect(parquet).toEqual(csv);
});

test("the events of closed epochs are read back as the API tells them, those of the running one are not there", () => {
  const ledger = closedLedger();
  ledger.events[1]!.transaction = transactionOf(9_500, {
    verified: "signature, one witness",
    blockTime: null,
  });
  const { csv, parquet } = readEvents(ledger);
  const told = csv.map((row) => [
    row["id"],
    row["confirmed"],
    row["delta"],
    row["verified"],
    row["transactionBlockTime"],
  ]);
  expect(told).toEqual([
    ["event 0", true, -0.75, "signature", "2026-11-20T09:59:59.000Z"],
    ["event 1", false, null, "signature, one witness", null],
  ]);
  expect(csv).toEqual(eventsByValidators(ledger).filter(({ epoch }) => epoch !== EPOCH));
  expect(parquet).toEqual(csv);
});

test("what CSV is made of is no formula: beyond a number, nothing begins with = + - @ or a blank", () => {
  const ledger = closedLedger();
  for (const kind of ["eventsCsv", "historyCsv", "validatorsCsv", "rugsCsv"] as const) {
    const text = new TextDecoder().decode(
      renderOne(ledger, { kind, names: { epoch: EPOCH - 1 } } as ObjectReference),
    );
    expect(text.endsWith("\r\n")).toBe(true);
    const cells = text.split("\r\n").flatMap((line) => line.split(","));
    expect(cells.filter((cell) => /^[=+\-@\s]/.test(cell))).toEqual(
      kind === "eventsCsv" ? ["-0.75"] : [],
    );
    expect(cells.includes("'=cmd()")).toBe(kind === "validatorsCsv" || kind === "rugsCsv");
  }
  const parquet = readParquetExport(
    "validators",
    renderOne(ledger, { kind: "validatorsParquet", names: {} }),
  );
  expect(parquet.map(({ name }) => name)).toContain("=cmd()");
});

test("a closed epoch's exports stay what they are while another epoch runs and names change", () => {
  const ledger = closedLedger();
  const ofClosed = () => [...allBytes(ledger)].filter(([key]) => /\/(?:events|history)/.test(key));
  const before = ofClosed();
  recordStake(ledger, "two", { epoch: EPOCH, lamports: 8n, rank: 2 });
  recordCommissions(ledger, "two", { [EPOCH]: { inflation: 10_000 } });
  ledger.validators[0]!.name = "another name";
  ledger.validators[0]!.identity = voteOf("another identity");
  ledger.events.push({ ...ledger.events[0]!, id: "another", epoch: EPOCH });
  expect(before).toHaveLength(4);
  expect(ofClosed()).toEqual(before);
});

test("nothing is exported of an epoch that runs, was never tracked, or has nobody in it; without events their table is its header", () => {
  const { render } = createRenderer(closedLedger());
  for (const kind of ["historyCsv", "historyParquet"] as const)
    for (const epoch of [EPOCH, EPOCH + 1, EPOCH - 2])
      expect(render({ kind, names: { epoch } })).toBeNull();
  const first = createRenderer(
    ledgerOf({ validators: [{ name: "one" }], events: [{ of: "one" }] }),
  );
  expect(first.render({ kind: "historyCsv", names: { epoch: EPOCH - 1 } })).toBeNull();
  const text = new TextDecoder().decode(
    first.render({ kind: "eventsCsv", names: {} }) ?? new Uint8Array(),
  );
  expect(text).toMatch(/^id,votePubkey,[^\r\n]*\r\n$/);
});

test("the list names what is published with its rows, size and hash, tables of one file first, then the newest", () => {
  const ledger = closedLedger();
  ledger.epochs.unshift({ ...ledger.epochs[0]!, epoch: EPOCH - 2 });
  recordStake(ledger, "left", { epoch: EPOCH - 2, lamports: 5n, rank: 1 });
  const bytes = allBytes(ledger);
  bytes.delete(`exports/mainnet/history/${EPOCH - 2}.parquet`);
  const { data, meta } = renderList(ledger, bytes);
  expect(meta).toEqual({ network: "mainnet", total: 19 });
  const ofOneFile = { events: 2, costs: 0, rugs: 2, validators: 2, locations: 0, epochs: 3 };
  expect(
    data.map(({ path, table, format, epoch, month, rows }) => [
      path,
      table,
      format,
      epoch ?? month,
      rows,
    ]),
  ).toEqual([
    ...Object.entries(ofOneFile).flatMap(([table, rows]) =>
      ["csv", "parquet"].map((format) => [
        `/exports/mainnet/${table}.${format}`,
        table,
        format,
        null,
        rows,
      ]),
    ),
    ...["2026-12", "2026-11"].flatMap((month) =>
      ["csv", "parquet"].map((format) => [
        `/exports/mainnet/uptime/${month}.${format}`,
        "uptime",
        format,
        month,
        2,
      ]),
    ),
    [`/exports/mainnet/history/${EPOCH - 1}.csv`, "history", "csv", EPOCH - 1, 2],
    [`/exports/mainnet/history/${EPOCH - 1}.parquet`, "history", "parquet", EPOCH - 1, 2],
    [`/exports/mainnet/history/${EPOCH - 2}.csv`, "history", "csv", EPOCH - 2, 1],
  ]);
  for (const { path, bytes: size, sha256 } of data) {
    const body = bytes.get(path.slice(1))!;
    expect([size, sha256]).toEqual([
      body.byteLength,
      createHash("sha256").update(body).digest("hex"),
    ]);
  }
});

test("every export of a made-up story says, row by row, what the API's documents of the same ledger say", () => {
  let [historyRows, eventRows] = [0, 0];
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const { ledger } = foldOnto(createLedger("mainnet"), ...entries);
      const running = ledger.epochs.at(-1)?.epoch ?? -1;
      const closed = allReferences(ledger).flatMap(({ kind, names }) =>
        kind === "historyCsv" ? names.epoch : [],
      );
      if (closed.length === 0) return;
      const events = eventsByValidators(ledger).filter(({ epoch }) => epoch < running);
      if (events.length > 0) expect(readEvents(ledger)).toEqual({ csv: events, parquet: events });
      eventRows += events.length;
      const points = pointsByEpoch(ledger);
      for (const epoch of closed) {
        const isThere =
          createRenderer(ledger).render({ kind: "historyCsv", names: { epoch } }) !== null;
        const rows = isThere ? readHistory(ledger, epoch) : { csv: [], parquet: [] };
        expect(rows.parquet).toEqual(rows.csv);
        for (const row of rows.csv)
          expect(row).toEqual(points.get(`${epoch} ${String(row["votePubkey"])}`));
        const staked = [...points.values()].filter(
          (row) => row["epoch"] === epoch && row["rank"] !== null,
        );
        const exported = new Set(rows.csv.map(({ votePubkey }) => votePubkey));
        expect(staked.filter(({ votePubkey }) => !exported.has(votePubkey ?? null))).toEqual([]);
        historyRows += rows.csv.length;
      }
    }),
    { numRuns: 15 * SOAK },
  );
  expect(historyRows).toBeGreaterThan(120);
  expect(eventRows).toBeGreaterThan(5);
});

test("uptime is exported by month, as the documents of the validators show it", () => {
  const ledger = closedLedger();
  const { csv, parquet } = readTable(ledger, "uptime", { month: "2026-11" });
  const told = ledger.validators
    .flatMap(({ vote: votePubkey }) =>
      read(ledger, "uptime", { votePubkey }).data.map((day) => ({ ...day, votePubkey })),
    )
    .filter(({ date }) => date !== "2026-12-01")
    .sort((one, other) => compareText(one.votePubkey, other.votePubkey));
  expect(told.map(({ uptimePercent }) => uptimePercent).sort()).toEqual([100, 75]);
  expect(csv).toEqual(told);
  expect(parquet).toEqual(csv);
  expect(
    createRenderer(ledger).render({ kind: "uptimeCsv", names: { month: "2026-10" } }),
  ).toBeNull();
});

test("the tables of a made-up story say what the lists and statistics of the same ledger say", () => {
  let [costRows, rugRows] = [0, 0];
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const { ledger } = foldOnto(createLedger("mainnet"), ...entries);
      if (ledger.epochs.length === 0) return;
      const running = ledger.epochs.at(-1)?.epoch ?? -1;
      const index = read(ledger, "index", {});
      const epochs = read(ledger, "epochs", {}).data;
      const events = ledger.validators.flatMap(
        ({ vote }) => read(ledger, "validatorEvents", { votePubkey: vote }).data,
      );
      const tables = (["validators", "locations", "epochs", "costs", "rugs"] as const).map(
        (table) => {
          const isThere =
            createRenderer(ledger).render({ kind: `${table}Csv`, names: {} }) !== null;
          return [table, isThere ? readTable(ledger, table).csv : []] as const;
        },
      );
      const {
        validators,
        locations,
        epochs: ofEpochs,
        costs,
        rugs,
      } = Object.fromEntries(tables) as Record<(typeof tables)[number][0], ExportRow[]>;
      expect(
        validators.map(({ votePubkey, verdict, commission, activeStakeLamports, pattern }) => [
          ...[votePubkey, verdict, commission, String(activeStakeLamports), pattern],
        ]),
      ).toEqual(
        index.validators.map(({ votePubkey, verdict, commission, activeStake, pattern }) => [
          ...[votePubkey, verdict, commission, activeStake.lamports, pattern?.kind ?? null],
        ]),
      );
      expect(locations.map(({ votePubkey, city }) => [votePubkey, city])).toEqual(
        index.validators.flatMap(({ votePubkey, location }) =>
          location === null ? [] : [[votePubkey, location.city]],
        ),
      );
      expect(ofEpochs.map((row) => [row["epoch"], row["startedAt"], row["inflationRate"]])).toEqual(
        epochs.map((row) => [row.epoch, row.startedAt, row.inflationRate]),
      );
      const known = events.filter(
        ({ epoch, cost, mevCost }) => epoch < running && (cost ?? mevCost) !== null,
      );
      expect(
        new Map(costs.map((row) => [row["eventId"], [row["lamportsPerEpoch"], row["isSettled"]]])),
      ).toEqual(
        new Map(
          known.map(({ id, cost, mevCost }) => [
            id,
            [Number((cost ?? mevCost)!.lamportsPerEpoch), (cost ?? mevCost)!.basis.isSettled],
          ]),
        ),
      );
      const all = events.filter(
        ({ severity, replacedBy }) => severity === "RUG" && replacedBy === null,
      );
      expect(new Map(rugs.map(({ votePubkey, rugs: count }) => [votePubkey, count]))).toEqual(
        new Map(
          [...Map.groupBy(all, ({ votePubkey }) => votePubkey)].map(([vote, own]) => [
            vote,
            own.length,
          ]),
        ),
      );
      const { standing } = read(ledger, "rugsPerEpoch", {}).meta;
      const isStanding = (row: ExportRow) => row["standing"] === true;
      expect(rugs.filter(isStanding)).toHaveLength(
        standing.validatorsPaid + standing.validatorsAnnounced,
      );
      costRows += costs.length;
      rugRows += rugs.length;
    }),
    { numRuns: 15 * SOAK },
  );
  expect(rugRows).toBeGreaterThan(5);
  expect(costRows).toBeGreaterThan(100);
});

/** Both formats, which say the same. */
function readTable<Names extends object>(
  ledger: Ledger,
  table: ExportTable,
  names: Names = {} as Names,
): { csv: ExportRow[]; parquet: ExportRow[] } {
  const of = (format: "Csv" | "Parquet") =>
    renderOne(ledger, { kind: `${table}${format}`, names } as unknown as ObjectReference);
  const csv = readCsvExport(table, of("Csv"));
  // This reader refuses an empty table, others do not.
  const parquet = csv.length === 0 ? [] : readParquetExport(table, of("Parquet"));
  expect(parquet).toEqual(csv);
  return { csv, parquet };
}

function readHistory(ledger: Ledger, epoch: number): { csv: ExportRow[]; parquet: ExportRow[] } {
  const names = { epoch };
  return {
    csv: readCsvExport("history", renderOne(ledger, { kind: "historyCsv", names })),
    parquet: readParquetExport("history", renderOne(ledger, { kind: "historyParquet", names })),
  };
}

function readEvents(ledger: Ledger): { csv: ExportRow[]; parquet: ExportRow[] } {
  return {
    csv: readCsvExport("events", renderOne(ledger, { kind: "eventsCsv", names: {} })),
    parquet: readParquetExport("events", renderOne(ledger, { kind: "eventsParquet", names: {} })),
  };
}

function eventsByValidators(
  ledger: Ledger,
): (Omit<
  CommissionEvent,
  "validatorName" | "transaction" | "pattern" | "incident" | "cost" | "mevCost"
> &
  ExportRow)[] {
  return ledger.validators
    .flatMap(({ vote }) => read(ledger, "validatorEvents", { votePubkey: vote }).data)
    .sort(compareEvents)
    .map(({ validatorName, transaction, pattern, incident, cost, mevCost, ...told }) => {
      expect([validatorName, pattern, incident, cost, mevCost]).not.toContain(undefined);
      const {
        signature = null,
        slot = null,
        blockTime = null,
        signer = null,
        verified = null,
      } = transaction ?? {};
      const proof = {
        transactionSignature: signature,
        transactionSlot: slot,
        transactionBlockTime: blockTime,
      };
      return { ...told, ...proof, signer, verified };
    });
}

function pointsByEpoch(ledger: Ledger): Map<string, ExportRow> {
  const points = new Map<string, ExportRow>();
  const row = (epoch: number, votePubkey: string): ExportRow => {
    const key = `${epoch} ${votePubkey}`;
    const held = points.get(key) ?? {
      epoch,
      votePubkey,
      activeStakeLamports: null,
      rank: null,
      ...NO_COMMISSIONS,
    };
    points.set(key, held);
    return held;
  };
  for (const { vote: votePubkey } of ledger.validators) {
    for (const { epoch, activeStake, rank } of read(ledger, "stakeHistory", { votePubkey }).data)
      Object.assign(row(epoch, votePubkey), {
        activeStakeLamports: BigInt(activeStake.lamports),
        rank,
      });
    for (const point of read(ledger, "commissionHistory", { votePubkey }).data)
      Object.assign(row(point.epoch, votePubkey), point);
  }
  return points;
}

const NO_COMMISSIONS = {
  ...{
    commission: null,
    mevCommission: null,
    appliedCommission: null,
    paid: null,
    blockRevenueCommission: null,
    paidCommission: null,
    paidCommissionUnknown: "not_read",
  },
};

function allBytes(ledger: Ledger): Map<string, Uint8Array> {
  const { render } = createRenderer(ledger);
  const references = allReferences(ledger).map(
    (reference) => [toKey(reference), render(reference)] as const,
  );
  return new Map(
    references.flatMap(([key, bytes]) =>
      bytes !== null && key.startsWith("exports/") ? [[key, bytes]] : [],
    ),
  );
}

function toKey({ kind, names }: ObjectReference): string {
  return toObjectKey("mainnet", kind, names);
}

function renderList(
  ledger: Ledger,
  published: ReadonlyMap<string, Uint8Array>,
): DocumentOf<"exports"> {
  const { render, countRows } = createRenderer(ledger);
  const list = render({ kind: "exports", names: {} }, (key) => {
    const body = published.get(key);
    const reference = fromObjectKey("mainnet", key);
    return body && reference
      ? {
          bytes: body.byteLength,
          sha256: createHash("sha256").update(body).digest("hex"),
          rows: countRows(reference) ?? undefined,
        }
      : null;
  });
  return readDocument("exports", list ?? new Uint8Array()) as DocumentOf<"exports">;
}

function renderOne(ledger: Ledger, reference: ObjectReference): Uint8Array {
  const bytes = createRenderer(ledger).render(reference);
  if (bytes === null) throw new Error(`${toKey(reference)} is not rendered`);
  return bytes;
}
