import { isNotFound } from "../../api/client.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { readVotes, toAddress } from "../../format/url.ts";
import { toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { useStake } from "../../parts/stake.ts";
import { Star } from "../../parts/Star.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { AddValidator } from "./AddValidator.tsx";
import { LineSample, Overlaid } from "./Overlaid.tsx";
import type { Compared } from "./compared.ts";
import { ROWS } from "./rows.tsx";
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
  return {
    votePubkey,
    compared,
    problem: problem && (isNotFound(problem) ? `never seen on ${network}` : "not loaded"),
  };
}

function without(votes: readonly string[], votePubkey: string): string | null {
  return votes.filter((vote) => vote !== votePubkey).join() || null;
}
