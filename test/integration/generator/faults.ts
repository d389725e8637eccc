import type { RpcFailure } from "../../cluster/rpc/failure.ts";
import type { Change, Fault, HttpFault } from "../../service/upstream.ts";

interface VoteRow {
  votePubkey: string;
  lastVote: number;
  commission?: number;
  inflationRewardsCommissionBps?: number;
}
type Votes = Record<"current" | "delinquent", VoteRow[]>;

export function isAsking(side: string, way: string) {
  return (asked: { side: string; method: string; params: unknown[] }) =>
    asked.side === side &&
    (way === "*" || way === asked.method || way === `${asked.method} ${String(asked.params[0])}`);
}

export function onFirst(way: string, answer: ReturnType<Fault>): Fault {
  return (asked) => (isAsking("first", way)(asked) ? answer : undefined);
}

export function onBoth(way: string, answer: ReturnType<Fault>): Fault {
  return (asked) => (isAsking(asked.side, way)(asked) && asked.side !== "mev" ? answer : undefined);
}

export function toHttp(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): HttpFault {
  return { status, headers, body };
}

export function toResult(result: unknown): Change {
  return () => result;
}

function behindBy(slots: number): Change {
  return (info: {
    absoluteSlot: number;
    slotIndex: number;
    slotsInEpoch: number;
    epoch: number;
  }) => {
    const sinceEpoch = info.slotIndex - slots;
    const epochs = Math.floor(sinceEpoch / info.slotsInEpoch);
    return {
      ...info,
      absoluteSlot: info.absoluteSlot - slots,
      epoch: info.epoch + epochs,
      slotIndex: sinceEpoch - epochs * info.slotsInEpoch,
    };
  };
}

export function olderVotes(slots: number): Change {
  const toOlder = (row: VoteRow) => ({ ...row, lastVote: row.lastVote - slots });
  return ({ current, delinquent }: Votes) => ({
    current: current.map(toOlder),
    delinquent: delinquent.map(toOlder),
  });
}

export function lagging(slots: number): Change {
  return (result: unknown) => {
    if (typeof result !== "object" || result === null) return result;
    if ("absoluteSlot" in result) return behindBy(slots)(result as never);
    return "current" in result ? olderVotes(slots)(result as never) : result;
  };
}

export function stuck(): Fault {
  const first = new Map<string, unknown>();
  return ({ side, method, params }) => {
    if (side === "mev") return undefined;
    const question = JSON.stringify([method, params]);
    return (result: never) => {
      if (!first.has(question)) first.set(question, result);
      return first.get(question);
    };
  };
}

export function epochChanging(): Fault {
  let before: string | null = null;
  return ({ method }) => {
    const isAfter = before === "getVoteAccounts" && method === "getEpochInfo";
    if (method === "getVoteAccounts" || method === "getHealth") before = method;
    return isAfter
      ? (info: { epoch: number }) => ({ ...info, epoch: info.epoch + 1, slotIndex: 0 })
      : undefined;
  };
}

export function keepRows(share: number): Change {
  return ({ current, delinquent }: Votes) => ({
    current: current.slice(0, Math.floor(current.length * share)),
    delinquent,
  });
}

export function rugOfAll(): Change {
  return ({ current, delinquent }: Votes) => ({
    current: current.map((row) => ({
      ...row,
      commission: 100,
      inflationRewardsCommissionBps: 10_000,
    })),
    delinquent,
  });
}

export function stakesRefused(failure: RpcFailure): Fault {
  const ways = [
    "getProgramAccounts Stake11111111111111111111111111111111111111",
    "getProgramAccountsV2",
  ];
  return (asked) => (ways.some((way) => isAsking(asked.side, way)(asked)) ? failure : undefined);
}

export function mevDown(): Fault {
  return ({ side }) =>
    side === "mev" ? toHttp(500, '{"validators":[]}', { "retry-after": "0" }) : undefined;
}
