import { useRoute } from "preact-iso";
import { useMemo } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useTitle } from "../../app/title.ts";
import { useEpoch } from "../../app/use-epoch.ts";
import { useUrl } from "../../app/use-url.ts";
import { OldData } from "../../parts/OldData.tsx";
import { toShortKey } from "../../parts/ValidatorName.tsx";
import "../../style/calendar.css";
import "../../style/validator.css";
import { Account } from "./Account.tsx";
import { CommissionHistory } from "./CommissionHistory.tsx";
import { CommissionNow } from "./CommissionNow.tsx";
import { Events } from "./Events.tsx";
import { Facts } from "./Facts.tsx";
import { Head, HeadOfKey } from "./Head.tsx";
import { Place } from "./Place.tsx";
import { StakeHistory } from "./StakeHistory.tsx";
import { toRefusal } from "./refusal.ts";
import { Unknown } from "./Unknown.tsx";
import { Uptime } from "./Uptime.tsx";

/** As long as a CDN holds events. */
const EVENTS_MILLISECONDS = 60_000;
const NO_EVENTS: readonly CommissionEvent[] = [];

/** The page of one validator: who it is, what it takes, and how that changed. */
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
  const profile = useDocument(documents.validator(network, votePubkey));
  const refusal = profile.problem === null ? null : toRefusal(profile.problem);
  useTitle(refusal === null ? (profile.held?.document.data.name ?? toShortKey(votePubkey)) : "No such validator");
  if (refusal !== null) return <Unknown refusal={refusal} network={network} votePubkey={votePubkey} />;
  return (
    <div class="validator">
      {profile.held === null ? (
        <HeadOfKey votePubkey={votePubkey} />
      ) : (
        <Head profile={profile.held.document.data} network={network} />
      )}
      <OldData network={network} />
      <Blocks profile={profile} network={network} votePubkey={votePubkey} />
    </div>
  );
}

interface BlocksProps extends ValidatorOfProps {
  profile: Parameters<typeof Facts>[0]["reading"];
}

/** All below the head. Each block reads what it shows by itself, so that one that fails leaves the others. */
function Blocks({ profile, network, votePubkey }: BlocksProps) {
  const epoch = useEpoch(network).held?.document.data ?? null;
  const events = useDocument(documents.validatorEvents(network, votePubkey), {
    everyMilliseconds: EVENTS_MILLISECONDS,
  });
  const all = events.held?.document.data ?? NO_EVENTS;
  // Its steps are events of their own: it would be drawn and counted twice.
  const ofEvents = useMemo(() => all.filter(({ replacedBy }) => replacedBy === null), [all]);
  return (
    <>
      <CommissionNow reading={profile} events={ofEvents} epoch={epoch} />
      <CommissionHistory network={network} votePubkey={votePubkey} events={ofEvents} />
      <Facts reading={profile} />
      <Events reading={events} network={network} votePubkey={votePubkey} epoch={epoch} />
      <Account reading={profile} network={network} />
      <StakeHistory network={network} votePubkey={votePubkey} />
      <Place network={network} votePubkey={votePubkey} />
      <Uptime network={network} votePubkey={votePubkey} />
    </>
  );
}
