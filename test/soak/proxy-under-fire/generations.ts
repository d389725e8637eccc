import { hash } from "node:crypto";
import { base58 } from "@scure/base";
import type { Network } from "../../../generator/contract/networks.ts";
import {
  LATEST_EPOCH,
  makeEvent,
  makeIndex,
  makeProfile,
  makeUptime,
  makeValidator,
  publish,
} from "../../proxy/fixtures.ts";
import type { PublishedObject } from "../../proxy/fixtures.ts";

/** Epochs with a row of their own in the index, before the latest. */
const EPOCHS = 100;

/** The n-th made-up vote account; from 0 to the number of validators they are published. */
export function toVotePubkey(n: number): string {
  return base58.encode(hash("sha256", `validator ${n}`, "buffer"));
}

/**
 * Everything that a generation publishes, leaves first. Each item carries its number: `"name":"G7"`,
 * `"validatorName":"G7"` or `"commissionEvents":7`.
 */
export function makeGeneration(
  generation: number,
  { validators, now }: { validators: number; now: number },
): PublishedObject[] {
  const mark = { name: `G${generation}`, validatorName: `G${generation}` };
  const keys = Array.from({ length: validators }, (_, n) => toVotePubkey(n));
  const profiles = keys.map((votePubkey, n) =>
    publish(
      "validator",
      { votePubkey },
      { data: { ...makeProfile(1), votePubkey, rank: n + 1, name: mark.name }, meta: { network: "mainnet" } },
    ),
  );
  const uptimes = keys.slice(0, 1).map((votePubkey) => publish("uptime", { votePubkey }, makeUptime(votePubkey)));
  return [...profiles, ...uptimes, makeMarkedIndex("mainnet", { generation, keys, now })];
}

/** An index of another network under mainnet's key: it must never be served. */
export function makeForeignIndex(now: number): PublishedObject {
  const { body } = makeMarkedIndex("testnet", { generation: 999_999, keys: [toVotePubkey(0)], now });
  return { key: "api/v1/mainnet/index.json", body };
}

function makeMarkedIndex(
  network: Network,
  { generation, keys, now }: { generation: number; keys: string[]; now: number },
): PublishedObject {
  const name = `G${generation}`;
  const rug = { epoch: 0, uniqueValidators: 1, commissionEvents: generation, mevEvents: 0, totalEvents: generation };
  const rugs = {
    ...rug,
    unconfirmedEvents: 0,
    commissionValidators: 1,
    mevValidators: 0,
    bothTypes: 0,
    lamportsLost: null,
  };
  const index = makeIndex({
    network,
    snapshotAt: new Date(now).toISOString(),
    validators: keys.map((votePubkey, n) => makeValidator(1, { votePubkey, name, rank: n + 1 })),
    unlisted: [],
    events: Array.from({ length: 200 }, (_, n) =>
      makeEvent({ id: `${n}`, epoch: LATEST_EPOCH - (n % 50), validatorName: name }),
    ),
    rugsPerEpoch: Array.from({ length: EPOCHS }, (_, n) => ({ ...rugs, epoch: LATEST_EPOCH - EPOCHS + 1 + n })),
  });
  index.rugsGlobal.commissionEvents = generation;
  return publish("index", {}, index, network);
}

/** The generations in a body. More than one: it is torn. */
export function findGenerations(text: string): number[] {
  const marks = text.matchAll(/"(?:name|validatorName)":"G(\d+)"|"commissionEvents":(\d+)/g);
  return [...new Set([...marks].map(([, name, count]) => Number(name ?? count)))];
}
