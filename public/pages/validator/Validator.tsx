import { useRoute } from "preact-iso";
import { useMemo } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Problem } from "../../api/client.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { findMevPriced, findPriced } from "../../format/cost.ts";
import { NETWORKS, toAddress, toValidatorAddress } from "../../format/url.ts";
import { toShortKey } from "../../format/values.ts";
import { FindValidator } from "../../parts/FindValidator.tsx";
import { Loading, OldData } from "../../parts/Document.tsx";
import { WhenNear } from "../../parts/WhenNear.tsx";
import { useTitle, useUrl } from "../../parts/use-url.ts";
import { Account } from "./Account.tsx";
import { Alerts } from "./Alerts.tsx";
import { CommissionHistory } from "./CommissionHistory.tsx";
import { CommissionNow } from "./CommissionNow.tsx";
import { Cost } from "./Cost.tsx";
import { Events } from "./Events.tsx";
import { Facts, Place } from "./Facts.tsx";
import { Head, HeadOfKey } from "./Head.tsx";
import { EpochsChoice } from "./NewestChoice.tsx";
import { Share } from "./Share.tsx";
import { Strip } from "./Strip.tsx";
import { StakeHistory } from "./StakeHistory.tsx";
import { Uptime } from "./Uptime.tsx";
import "../../style/calendar.css";
import "../../style/validator.css";

const EVENTS_MILLISECONDS = 60_000;
const NO_EVENTS: readonly CommissionEvent[] = [];

export default function Validator() {
  const { network } = useUrl();
  const votePubkey = useRoute().params["votePubkey"] ?? "";
  return <ValidatorOf key={`${network} ${votePubkey}`} network={network} votePubkey={votePubkey} />;
}

interface ValidatorOfProps {
  network: Network;
  votePubkey: string;
}

function ValidatorOf({ network, votePubkey }: ValidatorOfProps) {
  const profile = useDocument(documents.validator(network, votePubkey), { isFirst: true });
  const refusal = profile.problem === null ? null : toRefusal(profile.problem);
  const events = useDocument(documents.validatorEvents(network, votePubkey), {
    everyMilliseconds: EVENTS_MILLISECONDS,
  });
  const now = useEpoch(network);
  const epoch = now.held?.document.data ?? null;
  const ofEvents =
    events.held?.document.data.filter(({ replacedBy }) => replacedBy === null) ?? null;
  useTitle(
    refusal === null
      ? (profile.held?.document.data.name ?? toShortKey(votePubkey))
      : "No such validator",
  );
  if (refusal !== null)
    return <Unknown refusal={refusal} network={network} votePubkey={votePubkey} />;
  const isWaiting = [profile, events, now].some(
    ({ held, problem }) => held === null && problem === null,
  );
  return (
    <div class={isWaiting ? "validator validator-waiting" : "validator"}>
      {profile.held === null ? (
        <HeadOfKey votePubkey={votePubkey} />
      ) : (
        <Head profile={profile.held.document.data} network={network} events={ofEvents ?? NO_EVENTS}>
          <Strip
            profile={profile.held.document.data}
            network={network}
            events={ofEvents}
            epoch={epoch}
          />
        </Head>
      )}
      <OldData network={network} />
      {isWaiting && <Loading lines={3} />}
      <Blocks profile={profile} events={events} network={network} votePubkey={votePubkey} />
      {!isWaiting && <Later profile={profile} network={network} votePubkey={votePubkey} />}
    </div>
  );
}

interface BlocksProps extends ValidatorOfProps {
  profile: Parameters<typeof Facts>[0]["resource"];
  events: Parameters<typeof Events>[0]["resource"];
}

/** Each block reads its own documents, so one failure leaves the others. */
function Blocks({ profile, events, network, votePubkey }: BlocksProps) {
  const epoch = useEpoch(network).held?.document.data ?? null;
  const history = useDocument(documents.commissionHistory(network, votePubkey));
  const all = events.held?.document.data ?? NO_EVENTS;
  const ofEvents = useMemo(() => all.filter(({ replacedBy }) => replacedBy === null), [all]);
  return (
    <>
      <Contents hasCost={(findPriced(ofEvents) ?? findMevPriced(ofEvents)) !== null} />
      <div class="validator-columns">
        <CommissionHistory network={network} votePubkey={votePubkey} events={ofEvents} />
        <CommissionNow resource={profile} events={ofEvents} epoch={epoch} />
      </div>
      <Cost network={network} votePubkey={votePubkey} events={ofEvents} />
      <Events
        resource={events}
        network={network}
        votePubkey={votePubkey}
        since={profile.held?.document.data.firstSeenEpoch ?? null}
        epoch={epoch}
        isSettled={profile.held !== null && epoch !== null && history.held !== null}
      />
    </>
  );
}

/** Once those above have their height, or all of it would seem to be near. */
function Later({ profile, ...of }: ValidatorOfProps & Pick<BlocksProps, "profile">) {
  return (
    <>
      <div class="validator-columns">
        <div class="stack">
          <WhenNear card={{ title: "Stake by epoch", tools: <EpochsChoice />, folds: "on phones" }}>
            <StakeHistory {...of} />
          </WhenNear>
          <WhenNear card={{ title: "Uptime", anchor: "uptime", folds: "on phones" }}>
            <Uptime {...of} />
          </WhenNear>
          <WhenNear card={{ title: "Location", folds: "on phones" }}>
            <Place {...of} />
          </WhenNear>
        </div>
        <Facts resource={profile} />
      </div>
      <Alerts {...of} />
      <Account resource={profile} />
      <Share {...of} />
    </>
  );
}

const CONTENTS = [
  { anchor: "takes", title: "What it takes" },
  { anchor: "cost", title: "What it costs" },
  { anchor: "changes", title: "Changes and evidence" },
  { anchor: "uptime", title: "Uptime" },
  { anchor: "alerts", title: "Alerts" },
] as const;

function Contents({ hasCost }: { hasCost: boolean }) {
  return (
    <nav class="validator-contents" aria-label="On this page">
      {CONTENTS.filter(({ anchor }) => anchor !== "cost" || hasCost).map(({ anchor, title }) => (
        <a key={anchor} href={`#${anchor}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function Unknown({
  refusal,
  network,
  votePubkey,
}: {
  refusal: Refusal;
  network: Network;
  votePubkey: string;
}) {
  const key = <code class="breakable">{votePubkey}</code>;
  return (
    <section class="notice" aria-labelledby="unknown-validator">
      <h1 id="unknown-validator">
        {refusal === "malformed" ? "This is no vote account" : `No such validator on ${network}`}
      </h1>
      {refusal === "malformed" ? (
        <p>
          {key} is no account key. A key has 32 to 44 Base58 characters: letters and digits without
          0, O, I and l. Check that you copied all of it.
        </p>
      ) : (
        <p>
          We never saw the vote account {key} on {network}. Use the vote account, not the identity,
          and check the network: each has its own validators.
        </p>
      )}
      <FindValidator />
      <ul>
        {refusal === "unknown" &&
          NETWORKS.filter((name) => name !== network).map((name) => (
            <li key={name}>
              <a href={toValidatorAddress(votePubkey, name)}>Look on {name}</a>
            </li>
          ))}
        <li>
          <a href={toAddress("/validators", { network })}>All validators on {network}</a>
        </li>
      </ul>
    </section>
  );
}

type Refusal = "unknown" | "malformed";

/** null: the problem is not about the key. */
export function toRefusal(problem: Problem): Refusal | null {
  if (problem.kind !== "refused") return null;
  if (problem.code === "invalid_pubkey") return "malformed";
  return problem.code === "validator_not_found" ? "unknown" : null;
}
