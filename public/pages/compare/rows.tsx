import type { ComponentChildren } from "preact";
import { toCostText, toLoss } from "../../format/cost.ts";
import {
  keepPercents,
  toCount,
  toCounted,
  toMevText,
  toPercent,
  toSharePercent,
} from "../../format/values.ts";
import { SeverityBadge } from "../../parts/Change.tsx";
import { StakeSelect } from "../../parts/StakeSelect.tsx";
import { Term } from "../../parts/Term.tsx";
import { Sol } from "../../parts/values.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { type Compared, countSeverities, isToBlame, toPlaceText } from "./compared.ts";

/** A row of the comparison: a column for each validator. */
export interface Row {
  name: ComponentChildren;
  show: (compared: Compared) => ComponentChildren;
  /** Phones show the sentences below each other. */
  isOfSentences?: boolean;
}

export const ROWS: readonly Row[] = [
  {
    name: <Term of="Verdict">Verdict</Term>,
    show: ({ profile }) => <VerdictWord level={profile.verdict.level} />,
  },
  {
    name: <Term of="Paid commission">Inflation, paid this epoch</Term>,
    show: ({ profile }) => <Rate of={profile} rate={profile.appliedCommission} />,
  },
  {
    name: "Inflation, next epoch",
    show: ({ profile }) => (
      <Rate of={profile} rate={profile.nextAppliedCommission} before={profile.appliedCommission} />
    ),
  },
  {
    name: <Term of="Announced commission">Inflation, announced</Term>,
    show: ({ profile }) => (
      <Rate of={profile} rate={profile.commission} before={profile.appliedCommission} />
    ),
  },
  {
    name: <Term of="MEV commission">MEV commission</Term>,
    show: ({ profile }) => (
      <Rate of={profile} rate={profile.mev.mevCommission} text={toMevText(profile)} />
    ),
  },
  {
    name: "Why this verdict",
    show: ({ profile }) => keepPercents(profile.verdict.reasons[0]?.text ?? ""),
    isOfSentences: true,
  },
  {
    name: <Term of="Priority fees">Priority fees</Term>,
    show: ({ profile }) => toPercent(profile.mev.priorityFeeCommission),
  },
  {
    name: (
      <>
        Inflation rises cost, with <StakeSelect /> SOL
      </>
    ),
    show: ({ events, points, sol }) => <Cost events={events} points={points} sol={sol} />,
  },
  { name: "All changes", show: ({ events }) => <Changes events={events} /> },
  {
    name: <Term of="Active stake">Active stake</Term>,
    show: ({ profile }) => (
      <>
        <Sol lamports={profile.activeStake.lamports} />
        <span class="second">{toSharePercent(profile.stakePercent)}</span>
      </>
    ),
  },
  {
    name: "Rank",
    show: ({ profile: { rank, listed } }) => (listed ? toCount(rank) : "left the network"),
  },
  {
    name: <Term of="Uptime">Uptime</Term>,
    show: ({ uptime }) =>
      uptime === null ? (
        "…"
      ) : uptime.daysTracked === 0 ? null : (
        <>
          {toPercent(uptime.overallUptimePercent)}
          <span class="second">over {toCounted(uptime.daysTracked, "day")}</span>
        </>
      ),
  },
  {
    name: <Term of="Delinquent">Voting</Term>,
    show: ({ profile }) => (profile.delinquent ? "delinquent" : "voting"),
  },
  {
    name: "Client",
    show: ({ profile }) => profile.client && `${profile.client} ${profile.version ?? ""}`,
  },
  { name: "Location", show: ({ profile }) => toPlaceText(profile.location) },
];

interface RateProps {
  of: Compared["profile"];
  /** Percent; null: not known. */
  rate: number | null;
  /** What is paid now; absent: the rate is that. */
  before?: number | null;
  text?: string;
}

function Rate({ of, rate, before = null, text = toPercent(rate) }: RateProps) {
  const isBlamed = isToBlame({ level: of.verdict.level, rate, before });
  return <strong class={isBlamed ? "compared-blamed" : undefined}>{text}</strong>;
}

function Cost({ events, points, sol }: Pick<Compared, "events" | "points" | "sol">) {
  if (events === null || points === null) return <>…</>;
  const counted = events.filter(({ replacedBy }) => replacedBy === null);
  const loss = toLoss(counted, points, sol);
  return <>{loss === null ? "nothing" : toCostText(loss.lamports)}</>;
}

function Changes({ events }: Pick<Compared, "events">) {
  if (events === null) return <>…</>;
  const counts = countSeverities(events);
  if (counts.length === 0) return <span class="quiet">no changes</span>;
  return (
    <ul class="compared-changes">
      {counts.map(({ severity, count }) => (
        <li key={severity}>
          {toCount(count)} <SeverityBadge severity={severity} />
        </li>
      ))}
    </ul>
  );
}
