import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { isNotFound } from "../../api/client.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents, NEWEST } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { readVotes, toAddress } from "../../format/url.ts";
import { toCounted, toShortKey } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, PayText } from "../../parts/Change.tsx";
import { Term } from "../../parts/Term.tsx";
import { PaidThenNext } from "../../parts/PaidThenNext.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { CopyButton, Sol } from "../../parts/values.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { getWatched, keepWatched, WATCHED_MAX } from "../../parts/watchlist.ts";
import "../../style/watchlist.css";

const COMPARED = 4;

/** Those in the address; without any, those stored in this browser. */
export default function Watchlist() {
  const { query, network } = useUrl();
  useEpoch(network);
  const kept = getWatched(network);
  const named = readVotes(query["votes"], WATCHED_MAX);
  const votes = named.length === 0 ? kept : named;
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Watchlist on {network}</h1>
      </header>
      {votes.length === 0 ? (
        <Empty />
      ) : (
        <List votes={votes} isKept={named.length === 0 || isSame(named, kept)} />
      )}
    </div>
  );
}

function Empty() {
  const { network } = useUrl();
  return (
    <section class="notice" aria-labelledby="no-watchlist">
      <h2 id="no-watchlist">Your watchlist is empty</h2>
      <p>
        Press the star beside a validator to add it. This page then shows its commission, its newest
        change and whether it votes. The list stays in this browser and in the address, nowhere
        else.
      </p>
      <p>
        <a class="button" href={toAddress("/validators", { network })}>
          Choose validators
        </a>
      </p>
    </section>
  );
}

function List({ votes, isKept }: { votes: readonly string[]; isKept: boolean }) {
  const { network } = useUrl();
  const epoch = useEpoch(network).held?.document.data ?? null;
  const events = useDocument(documents.events(network, NEWEST)).held?.document ?? null;
  const address = location.origin + toAddress("/watchlist", { votes: votes.join(","), network });
  const tools = (
    <span class="watchlist-tools">
      {!isKept && (
        <button type="button" class="button" onClick={() => keepWatched(network, votes)}>
          Save in this browser
        </button>
      )}
      <span>
        <a href={address}>Link to this list</a>{" "}
        <CopyButton text={address} what="the link to this list" />
      </span>
      <a class="button" href={toAddress("/alerts", { votes: votes.join(","), network })}>
        Get alerts
      </a>
      {votes.length > 1 && (
        <a
          class="button"
          href={toAddress("/compare", { votes: votes.slice(0, COMPARED).join(","), network })}
        >
          Compare {votes.length > COMPARED ? `the first ${COMPARED}` : "them"}
        </a>
      )}
    </span>
  );
  return (
    <Card title={toCounted(votes.length, "validator")} tools={tools}>
      <ul class="watched-list">
        {votes.map((votePubkey) => (
          <Watched
            key={`${network} ${votePubkey}`}
            votePubkey={votePubkey}
            votes={votes}
            events={events}
            epoch={epoch}
          />
        ))}
      </ul>
    </Card>
  );
}

interface WatchedProps {
  votePubkey: string;
  votes: readonly string[];
  events: DocumentOf<"events"> | null;
  epoch: Epoch | null;
}

function Watched({ votePubkey, votes, events, epoch }: WatchedProps) {
  const { network, change } = useUrl();
  const { held, problem } = useDocument(documents.validator(network, votePubkey));
  const newest = events?.data.find(
    (event) => event.votePubkey === votePubkey && event.replacedBy === null,
  );
  const profile = held?.document.data;
  const remove = () => {
    const rest = votes.filter((each) => each !== votePubkey);
    keepWatched(
      network,
      getWatched(network).filter((each) => each !== votePubkey),
    );
    change({ votes: rest.length === 0 ? null : rest.join(",") }, { replace: true });
  };
  const name = profile?.name ?? null;
  return (
    <li class="watched">
      <span class="watched-name">
        <ValidatorName votePubkey={votePubkey} name={name} iconUrl={profile?.iconUrl ?? null} />
        {profile?.delinquent === true && <strong class="mark mark-delinquent">delinquent</strong>}
      </span>
      {profile === undefined ? (
        <span class="quiet">
          {problem === null ? "…" : isNotFound(problem) ? `never seen on ${network}` : "not loaded"}
        </span>
      ) : (
        <>
          <span class="watched-rate">
            <VerdictWord level={profile.verdict.level} />
            <span>
              <Term of="Paid commission">paid</Term> <PaidThenNext of={profile} />
            </span>
          </span>
          <Sol lamports={profile.activeStake.lamports} />
          <span class="watched-newest">
            {newest === undefined ? (
              <span class="quiet">
                {events === null ? "…" : `no changes in ${toCounted(events.meta.epochs, "epoch")}`}
              </span>
            ) : (
              <>
                <Change event={newest} />
                <br />
                <PayText event={newest} rates={profile} epoch={epoch} />
              </>
            )}
          </span>
        </>
      )}
      <button
        type="button"
        class="link-button"
        aria-label={`Remove ${name ?? toShortKey(votePubkey)} from the list`}
        onClick={remove}
      >
        Remove
      </button>
    </li>
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}
