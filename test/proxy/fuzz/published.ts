import { DEFAULT_NETWORK, NETWORKS } from "../../../generator/contract/networks.ts";
import {
  LATEST_EPOCH,
  makeIndex,
  MAINNET,
  makeProfile,
  makeUptime,
  publish,
  toPubkey,
  TRACKED_EPOCHS,
  VALIDATORS,
  type PublishedObject,
} from "../fixtures.ts";

/**
 * A store in which nothing is missing that an index names: mainnet of
 * the fixtures, with the documents of all its validators and epochs;
 * and two networks of which an epoch is known and nothing else.
 */
export function makePublished(): PublishedObject[] {
  const ofAll = Array.from({ length: VALIDATORS }, (_, index) => ofValidator(index + 1)).flat();
  const epochs = Array.from({ length: TRACKED_EPOCHS }, (_, index) =>
    ofEpoch(LATEST_EPOCH - index),
  );
  const empty = { validators: [], unlisted: [], events: [], rugsPerEpoch: [] };
  const others = NETWORKS.filter((network) => network !== DEFAULT_NETWORK);
  const indexes = others.map((network) =>
    publish("index", {}, makeIndex({ ...empty, network }), network),
  );
  // What MAINNET tells of the first validator and the latest epoch is put last, and counts.
  return [...ofAll, ...epochs, ...unlisted(), ...indexes, ...MAINNET];
}

function ofValidator(rank: number): PublishedObject[] {
  const votePubkey = toPubkey(rank);
  return [
    publish(
      "validator",
      { votePubkey },
      { data: makeProfile(rank), meta: { network: DEFAULT_NETWORK } },
    ),
    ...histories(votePubkey),
  ];
}

function histories(votePubkey: string): PublishedObject[] {
  const meta = { network: DEFAULT_NETWORK, total: 0, votePubkey };
  return [
    publish("validatorEvents", { votePubkey }, { data: [], meta }),
    publish("validatorTransactions", { votePubkey }, { data: [], meta }),
    publish("commissionHistory", { votePubkey }, { data: [], meta }),
    publish("stakeHistory", { votePubkey }, { data: [], meta }),
    publish("uptime", { votePubkey }, makeUptime(votePubkey)),
  ];
}

/** The one that left, as makeIndex has it. */
function unlisted(): PublishedObject[] {
  const votePubkey = toPubkey(200);
  const data = { ...makeProfile(100), votePubkey, name: "Gone 200", listed: false };
  return [
    publish("validator", { votePubkey }, { data, meta: { network: DEFAULT_NETWORK } }),
    ...histories(votePubkey),
  ];
}

function ofEpoch(epoch: number): PublishedObject {
  const meta = { network: DEFAULT_NETWORK, epoch, total: 0, uniqueValidators: 0 };
  return publish("epochEvents", { epoch }, { data: [], meta });
}
