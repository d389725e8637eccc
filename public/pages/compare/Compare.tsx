import type { ComponentChildren } from "preact";
import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCostText, toLoss } from "../../format/cost.ts";
import { readVotes, toAddress } from "../../format/url.ts";
import {
  keepPercents,
  toCount,
  toCounted,
  toMevText,
  toPercent,
  toSharePercent,
} from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { SeverityBadge } from "../../parts/Change.tsx";
import { useStake } from "../../parts/stake.ts";
import { StakeSelect } from "../../parts/StakeSelect.tsx";
import { Star } from "../../parts/Star.tsx";
import { Term } from "../../parts/Term.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { Sol } from "../../parts/values.tsx";
import { AddValidator } from "./AddValidator.tsx";
import { LineSample, Overlaid } from "./Overlaid.tsx";
import { type Compared, countSeverities, toPlaceText } from "./compared.ts";
import "../../style/compare.css";

const COMPARED_MAX = 4;
const UPTIME_DAYS = 30;

export default function Compare() {
  const { query, network, change } = useUrl();
  useEpoch(network);
  const votes = readVotes(query["votes"], COMPARED_MAX);
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Compare on {network}</h1>
        {votes.length < COMPARED_MAX && (
          <AddValidator
            votes={votes}
            onAdd={(votePubkey) => change({ votes: [...votes, votePubkey].join() })}
          />
        )}
      </header>
      {votes.length === 0 ? (
        <Nothing />
      ) : (
        <Table key={`${network} ${votes.join()}`} votes={votes} />
      )}
    </div>
  );
}

function Nothing() {
  const { network } = useUrl();
  return (
    <p class="state">
      Add up to four. Put validators on your{" "}
      <a href={toAddress("/watchlist", { network })}>watchlist</a>, and “Compare” there shows them
      side by side too.
    </p>
  );
}

interface Row {
  name: ComponentChildren;
  show: (compared: Compared) => ComponentChildren;
  /** Phones show the sentences below each other. */
  isOfSentences?: boolean;
}

const ROWS: readonly Row[] = [
  {
    name: <Term of="Verdict">Verdict</Term>,
    show: ({ profile }) => <VerdictWord level={profile.verdict.level} />,
  },
  {
    name: <Term of="Paid commission">Inflation, paid this epoch</Term>,
    show: ({ profile: { appliedCommission: rate } }) => <Rate rate={rate} />,
  },
  {
    name: "Inflation, next epoch",
    show: ({ profile: { appliedCommission, nextAppliedCommission: rate } }) => (
      <Rate rate={rate} before={appliedCommission} />
    ),
  },
  {
    name: <Term of="Announced commission">Inflation, announced</Term>,
    show: ({ profile: { commission: rate, appliedCommission } }) => (
      <Rate rate={rate} before={appliedCommission} />
    ),
  },
  {
    name: <Term of="MEV commission">MEV commission</Term>,
    show: ({ profile }) => <Rate rate={profile.mev.mevCommission} text={toMevText(profile)} />,
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

function Table({ votes }: { votes: readonly string[] }) {
  // Hooks in a loop: this component's key names the validators, so their number never changes.
  const all = votes.map(useCompared);
  const { network } = useUrl();
  const histories = all.map(({ votePubkey, compared }) => ({
    name: votePubkey,
    points: compared?.points ?? [],
  }));
  return (
    <Card title="Paid inflation commission">
      <Overlaid histories={histories} />
      <table
        class={`compared compared-of-${votes.length}`}
        role="table"
        aria-label="One column for each validator"
      >
        <thead role="rowgroup">
          <tr role="row">
            <td role="cell" />
            {all.map(({ votePubkey, compared, problem }, index) => (
              <th key={votePubkey} role="columnheader" scope="col">
                <span class="compared-name">
                  <ValidatorName
                    votePubkey={votePubkey}
                    name={compared?.profile.name ?? null}
                    iconUrl={compared?.profile.iconUrl ?? null}
                  />
                  <Star votePubkey={votePubkey} name={compared?.profile.name ?? null} />
                </span>
                <span class="compared-tools">
                  <LineSample index={index} />
                  <a href={toAddress("/compare", { votes: without(votes, votePubkey), network })}>
                    Remove
                    <span class="visually-hidden"> {compared?.profile.name ?? votePubkey}</span>
                  </a>
                </span>
                {problem !== null && compared === null && <span class="second">{problem}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {ROWS.map(({ name, show, isOfSentences = false }, index) => (
            <tr key={index} role="row" class={isOfSentences ? "compared-sentences" : undefined}>
              <th role="rowheader" scope="row">
                {name}
              </th>
              {all.map(({ votePubkey, compared }, column) => (
                <td key={votePubkey} role="cell">
                  {isOfSentences && <LineSample index={column} />}
                  {compared && (show(compared) ?? <span class="quiet">{toPercent(null)}</span>)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function useCompared(votePubkey: string): {
  votePubkey: string;
  compared: Compared | null;
  problem: string | null;
} {
  const { network } = useUrl();
  const { sol } = useStake();
  const { held, problem } = useDocument(documents.validator(network, votePubkey));
  const points =
    useDocument(documents.commissionHistory(network, votePubkey)).held?.document.data ?? null;
  const events =
    useDocument(documents.validatorEvents(network, votePubkey)).held?.document.data ?? null;
  const uptime =
    useDocument(documents.uptime(network, votePubkey, { days: UPTIME_DAYS })).held?.document.meta ??
    null;
  const compared = held && { profile: held.document.data, events, points, uptime, sol };
  const isUnknown = problem?.kind === "refused" && problem.status === 404;
  return {
    votePubkey,
    compared,
    problem: problem && (isUnknown ? `never seen on ${network}` : "not loaded"),
  };
}

function without(votes: readonly string[], votePubkey: string): string | null {
  return votes.filter((vote) => vote !== votePubkey).join() || null;
}

interface RateProps {
  /** Percent; null: not known. */
  rate: number | null;
  /** What is paid now; absent: the rate is that. */
  before?: number | null;
  text?: string;
}

/** Marked where it is what a verdict is bad for: nearly everything, or more than now. */
function Rate({ rate, before = null, text = toPercent(rate) }: RateProps) {
  const isRise = before !== null && rate !== null && rate > before;
  const isGuilty = isRise || (rate !== null && rate >= RUG_PERCENT);
  return <strong class={isGuilty ? "compared-guilty" : undefined}>{text}</strong>;
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
