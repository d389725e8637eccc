import { originOf } from "../contract/origin.ts";
import type { Source } from "../contract/event.ts";
import type { Ledger } from "./ledger.ts";
import type { MevState, Moment, ValidatorRecord } from "./records.ts";
import { isRefuted } from "./proof/refutations.ts";
import { newestMev } from "./tips/timeline.ts";
import { newestRate } from "./rates/timeline.ts";

/** Basis points. */
export interface PendingChange {
  vote: string;
  source: Source;
  from: MevState;
  to: number;
  first: Moment;
  endpoint: string;
  /** It changed together with so many others that further observations must show it. */
  mass: boolean;
  answers: { endpoint: string; commission: MevState }[];
  /** No majority, or no transaction made it; each observation asks again. */
  disputed: boolean;
}

/** All changes that witnesses answered and that are not yet accepted, by validator index. */
export function pendingChanges({ validators }: Ledger): PendingChange[] {
  return validators
    .filter(({ rates, tips }) => rates.pending !== null || tips.pending.size > 0)
    .flatMap((validator) => [...pendingRateOf(validator), ...pendingTipsOf(validator)]);
}

/** At most one an epoch. A missing tip account in a closed epoch is no change until agreed. */
function pendingTipsOf(validator: ValidatorRecord): PendingChange[] {
  const { vote, tips } = validator;
  const mev = newestMev(validator);
  return [...tips.pending].flatMap(
    ([epoch, { to, first, answers, isDisputed }]): PendingChange[] => {
      if (to === "absent" || mev === null || to === mev) return [];
      const byOrigin = answers.map(({ endpoint, state }) => ({
        endpoint: originOf(endpoint),
        commission: state === "absent" ? ("disabled" as const) : state,
      }));
      const [one] = byOrigin;
      const change = { to, first: { ...first, epoch }, endpoint: one?.endpoint ?? "", mass: false };
      return [
        { vote, source: "MEV", from: mev, ...change, answers: byOrigin, disputed: isDisputed },
      ];
    },
  );
}

function pendingRateOf(validator: ValidatorRecord): PendingChange[] {
  const { pending } = validator.rates;
  const current = newestRate(validator);
  if (pending === null || current === null) return [];
  const { to, first, massLeft, answers, isDisputed } = pending;
  const byOrigin = answers.map(({ endpoint, commission }) => ({
    endpoint: originOf(endpoint),
    commission: commission?.basisPoints ?? null,
  }));
  const [one] = byOrigin.filter(({ commission }) => commission === to.basisPoints);
  const isRefutedNow = isRefuted(validator, {
    after: current.until.slot,
    upTo: first.slot,
    to: to.basisPoints,
  });
  return [
    {
      ...{
        vote: validator.vote,
        source: "COMMISSION",
        from: current.basisPoints,
        to: to.basisPoints,
        first,
      },
      endpoint: one?.endpoint ?? "",
      mass: massLeft !== null,
      answers: byOrigin,
      disputed: isDisputed || isRefutedNow,
    },
  ];
}
