import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import {
  callAt,
  isSigned,
  readTransaction,
  type ReadInstruction,
  type SignatureRow,
  type TransactionReply,
} from "./transaction-reader.ts";
import { EPOCH_MILLISECONDS, FIRST_EPOCH, makeCluster, STARTS_AT, timeAt } from "./story.ts";

const EPOCHS = 4;
const SLOTS_PER_EPOCH = 43_200;
/** The last moment of the last of them. */
const END = timeAt(EPOCHS) - 1;
const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";

/** What a vote account says that a transaction of its authority changes. */
interface Held {
  authority: string;
  basisPoints: number;
  blockRevenueBasisPoints: number;
  collector: string;
}

/** As an account shows it after a slot, by getMultipleAccounts at that slot. */
function readHeld(cluster: Cluster, votes: readonly string[], slot: number): Map<string, Held> {
  const { ordinal, slotIndex } = cluster.calendar.momentOfSlot(slot);
  const at = cluster.calendar.timeOf(ordinal, slotIndex);
  const { result } = callAt<{ context: { slot: number }; value: ({ data: [string, string] } | null)[] }>(cluster, {
    at,
    method: "getMultipleAccounts",
    params: [votes, { encoding: "base64", dataSlice: { offset: 0, length: 136 } }],
  });
  expect(result.context.slot).toBe(slot);
  return new Map(
    votes.map((vote, place) => {
      const data = Buffer.from(result.value[place]!.data[0], "base64");
      const held = {
        authority: encodePublicKey(data.subarray(36, 68)),
        basisPoints: data.readUInt16LE(132),
        blockRevenueBasisPoints: data.readUInt16LE(134),
        collector: encodePublicKey(data.subarray(68, 100)),
      };
      return [vote, held];
    }),
  );
}

/** An instruction of the vote program that is no vote. */
function isChange({ program, data }: ReadInstruction): boolean {
  return program === VOTE_PROGRAM && data.readUInt32LE(0) !== 14;
}

/** Carries out an instruction of the vote program; whoever is no authority changes nothing, and fails the test. */
function carryOut({ accounts, data }: ReadInstruction, accountsHeld: Map<string, Held>): void {
  const held = accountsHeld.get(accounts[0] ?? "");
  if (held === undefined) throw new Error(`A transaction changes ${accounts[0]}, which nobody holds`);
  const tag = data.readUInt32LE(0);
  expect(accounts.at(-1)).toBe(held.authority);
  if (tag === 5) held.basisPoints = 100 * data.readUInt8(4);
  else if (tag === 17) held.collector = accounts[1] ?? "";
  else if (tag === 18 && data.readUInt32LE(6) === 0) held.basisPoints = data.readUInt16LE(4);
  else if (tag === 18) held.blockRevenueBasisPoints = data.readUInt16LE(4);
  else if (tag === 1 && data.readUInt32LE(36) === 1) held.authority = encodePublicKey(data.subarray(4, 36));
  else throw new Error(`An instruction ${tag}`);
}

/** What the searches for authorities bring, whoever comes to be one included: oldest first, each transaction once. */
function search(cluster: Cluster, authorities: readonly string[]): SignatureRow[] {
  const rows = new Map<string, SignatureRow>();
  for (const authority of new Set(authorities)) {
    let before: string | undefined;
    do {
      const config = { limit: 1000, ...(before !== undefined && { before }) };
      const question = { at: END, method: "getSignaturesForAddress", params: [authority, config] };
      const page = callAt<SignatureRow[]>(cluster, question).result;
      for (const row of page) rows.set(row.signature, row);
      before = page.length === 1000 ? page.at(-1)?.signature : undefined;
    } while (before !== undefined);
  }
  return [...rows.values()].sort(
    (one, other) => one.slot - other.slot || (one.transactionIndex ?? 0) - (other.transactionIndex ?? 0),
  );
}

const cluster = makeCluster({ validators: 60, hiddenFlips: true, slotsPerEpoch: SLOTS_PER_EPOCH });
const voters = cluster.members.filter(({ life, layout }) => life.role === "normal" && layout === "v4");
const votes = voters.map(({ vote }) => vote.address);
const authorities = voters.flatMap((member) =>
  Array.from(
    { length: EPOCHS },
    (_, ordinal) => cluster.authorities.at(member, { ordinal, slotIndex: SLOTS_PER_EPOCH - 1 }).address,
  ),
);
const first = cluster.calendar.firstSlotOf(FIRST_EPOCH);
const held = readHeld(cluster, votes, first);
const found = search(cluster, [...authorities, ...[...held.values()].map(({ authority }) => authority)]);
const replies = found.map(({ signature }) => {
  const params = [signature, { encoding: "base64", maxSupportedTransactionVersion: 0 }];
  return callAt<TransactionReply>(cluster, { at: END, method: "getTransaction", params }).result;
});
const read = replies.map(readTransaction);

describe("the transactions of the story", () => {
  it("are signed by all who must, and are known by the first signature", () => {
    expect(found.length).toBeGreaterThan(EPOCHS * 250);
    for (const [place, transaction] of read.entries()) {
      expect(isSigned(transaction)).toBe(true);
      expect(base58.encode(transaction.signatures[0]!)).toBe(found[place]?.signature);
      expect(transaction.message.length).toBeLessThan(1232 - 65);
    }
  });

  it("change exactly what the accounts show, slot by slot", () => {
    const changing = [...found.keys()].filter((place) =>
      [...read[place]!.instructions, ...read[place]!.inner].some(isChange),
    );
    const bySlot = Map.groupBy(changing, (place) => found[place]!.slot);
    let changes = 0;
    for (const [slot, places] of bySlot) {
      if (slot > first) expect(readHeld(cluster, votes, slot - 1)).toEqual(held);
      const before = new Map([...held].map(([vote, { basisPoints }]) => [vote, basisPoints]));
      for (const place of places) {
        const { instructions, inner } = read[place]!;
        expect(replies[place]?.meta.err).toEqual(found[place]?.err);
        if (found[place]?.err !== null) continue;
        for (const instruction of [...instructions, ...inner].filter(isChange)) carryOut(instruction, held);
      }
      expect(readHeld(cluster, votes, slot)).toEqual(held);
      changes += [...held].filter(([vote, { basisPoints }]) => basisPoints !== before.get(vote)).length;
    }
    const told = Array.from({ length: EPOCHS }, (_, ordinal) => cluster.commissions.changesOf(ordinal)).flat();
    expect(changes).toBe(told.length);
    expect(changes).toBeGreaterThan(EPOCHS * 10);
  });

  it("come in all forms", () => {
    const voteInstructions = read.map(({ instructions, inner }) =>
      [...instructions, ...inner].filter(({ program }) => program === VOTE_PROGRAM),
    );
    const tags = new Set(voteInstructions.flat().map(({ data }) => data.readUInt32LE(0)));
    expect(tags).toEqual(new Set([1, 5, 14, 17, 18]));
    expect(new Set(replies.map(({ version }) => version))).toEqual(new Set(["legacy", 0]));
    expect(replies.some(({ meta }) => meta.loadedAddresses.writable.length > 0)).toBe(true);
    expect(read.some(({ inner }) => inner.length > 0)).toBe(true);
    const isUpdate = ({ data }: ReadInstruction) => [5, 18].includes(data.readUInt32LE(0));
    const failed = voteInstructions.filter((_, place) => found[place]?.err !== null);
    expect(failed.some((instructions) => instructions.some(isUpdate))).toBe(true);
    const updated = voteInstructions.map((instructions) => instructions.filter(isUpdate));
    const accountsOf = (updates: ReadInstruction[]) => new Set(updates.map(({ accounts }) => accounts[0]));
    expect(updated.some((updates) => accountsOf(updates).size > 1)).toBe(true);
    expect(updated.some((updates) => updates.length > accountsOf(updates).size)).toBe(true);
    const slots = found.filter((_, place) => (updated[place]?.length ?? 0) > 0).map(({ slot }) => slot);
    expect(new Set(slots).size).toBeLessThan(slots.length);
  });
});

describe("authorities", () => {
  it("are there in the smallest cluster, and all of them change a commission", () => {
    const small = makeCluster({ validators: 12, hiddenFlips: true });
    const changing = new Set(
      Array.from({ length: EPOCHS }, (_, ordinal) => small.commissions.changesOf(ordinal))
        .flat()
        .map(({ member }) => member.authority.role),
    );
    expect(changing).toEqual(new Set(["own", "shared", "program", "successor", "busy", "identity", "settler"]));
  });

  it("hand over to one who changes the commission later", () => {
    const successor = voters.find(({ authority }) => authority.role === "successor")!;
    const of = (ordinal: number) =>
      cluster.authorities.at(successor, { ordinal, slotIndex: SLOTS_PER_EPOCH - 1 }).address;
    expect(of(0)).not.toBe(of(EPOCHS - 1));
    expect(held.get(successor.vote.address)?.authority).toBe(of(EPOCHS - 1));
  });
});

describe("hidden flips", () => {
  const ambushed = makeCluster({ hiddenFlips: true });
  const ambusher = ambushed.members.find(({ commission }) => commission.role === "ambusher")!;
  const rateAt = (time: number) =>
    ambushed.at(time).validators.find(({ votePubkey }) => votePubkey === ambusher.vote.address)?.basisPoints;

  it("stand at the end of every epoch", () => {
    for (let ordinal = 1; ordinal <= EPOCHS; ordinal++) expect(rateAt(timeAt(ordinal) - 1)).toBe(10_000);
  });

  it("are seen by no poll of any second", () => {
    for (let time = timeAt(1) - 60_000; time <= timeAt(1) + 60_000; time += 1000) expect(rateAt(time)).toBe(300);
    for (let time = STARTS_AT; time <= timeAt(2); time += EPOCH_MILLISECONDS / 1440) expect(rateAt(time)).toBe(300);
  });

  it("are in no story that does not ask for them", () => {
    expect(makeCluster().members.some(({ commission }) => commission.role === "ambusher")).toBe(false);
  });
});
