import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { apiNow } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { isPriced, toAmountText, toLoss, type Loss } from "../../format/cost.ts";
import { findNewest, toEffect, toEpochs } from "../../format/events.ts";
import { toAddress, toValidatorAddress } from "../../format/url.ts";
import { toCounted, toDuration, toMevText, toPercent } from "../../format/values.ts";
import { Fact } from "../../parts/Card.tsx";
import { Sparkline } from "../../parts/Sparkline.tsx";
import { useStake } from "../../parts/stake.ts";
import { StakeSelect } from "../../parts/StakeSelect.tsx";
import { toUpcoming } from "./CommissionNow.tsx";

interface StripProps {
  profile: Profile;
  network: Network;
  /** Newest first, without those replaced by steps. null: not read yet. */
  events: readonly CommissionEvent[] | null;
  epoch: Epoch | null;
}

const EPOCHS = 60;

/** What a delegator asks first: what it takes now, next, what it did, and what that cost. */
export function Strip({ profile, network, events, epoch }: StripProps) {
  const { votePubkey, appliedCommission } = profile;
  const history = useDocument(documents.commissionHistory(network, votePubkey)).held?.document.data;
  return (
    <div class="strip">
      <dl class="strip-facts">
        <Fact name="Inflation, paid now">{toPercent(appliedCommission)}</Fact>
        <Next events={events ?? []} epoch={epoch} />
        <Fact name="MEV">{toMevText(profile)}</Fact>
        <Record events={events} votePubkey={votePubkey} network={network} />
        <LostSoFar events={events ?? []} points={history ?? null} />
      </dl>
      <PaidLine points={history ?? []} />
      <p class="strip-links">
        <a class="button" href="#alerts">
          Get alerts
        </a>
        <a class="button" href={toAddress("/compare", { votes: votePubkey, network })}>
          Compare
        </a>
      </p>
    </div>
  );
}

function Next({ events, epoch }: { events: readonly CommissionEvent[]; epoch: Epoch | null }) {
  const [next, ...later] = epoch === null ? [] : toUpcoming(events, epoch.epoch);
  if (next === undefined) return null;
  const effect = toEffect({ ...next, supersededBy: null, replacedBy: null }, epoch, apiNow.value);
  const wait =
    effect.kind === "from" && effect.inMilliseconds !== null
      ? `, in ${toDuration(effect.inMilliseconds)}`
      : "";
  return (
    <Fact name={`From ${toEpochs(next)}${wait}`}>
      {toPercent(next.commission)}
      {later.map((change) => (
        <span key={toEpochs(change)} class="second">
          {toPercent(change.commission)} from {toEpochs(change)}
        </span>
      ))}
    </Fact>
  );
}

function Record({
  events,
  votePubkey,
  network,
}: Pick<StripProps, "events" | "network"> & { votePubkey: string }) {
  if (events === null) return <Fact name="Record">…</Fact>;
  const { record, newest, newestRugId } = toRecord(events);
  return (
    <Fact name="Record">
      {record}
      {newest !== null && <span class="second">{newest}</span>}
      {newestRugId !== null && (
        <span class="second">
          <a href={toValidatorAddress(votePubkey, network, { event: newestRugId })}>
            See the evidence
          </a>
        </span>
      )}
    </Fact>
  );
}

/** Nothing where no rise has a known cost. */
function LostSoFar({
  events,
  points,
}: {
  events: readonly CommissionEvent[];
  points: readonly CommissionPoint[] | null;
}) {
  const { sol } = useStake();
  if (!events.some((event) => isPriced(event) && (event.delta ?? 0) > 0)) return null;
  return (
    <Fact
      name={
        <>
          Lost so far, with <StakeSelect /> SOL
        </>
      }
    >
      <a href="#cost">{points === null ? "…" : toLost(toLoss(events, points, sol))}</a>
      <span class="second">to rises of inflation commission</span>
    </Fact>
  );
}

function toLost(loss: Loss | null): string {
  return loss === null ? "nothing yet" : toAmountText(loss.lamports);
}

/** "8 rugs", "last in epoch 1093" */
export function toRecord(
  newestFirst: readonly Pick<CommissionEvent, "id" | "severity" | "epoch">[],
): {
  record: string;
  newest: string | null;
  /** null: no rug. */
  newestRugId: string | null;
} {
  const rugs = newestFirst.filter(({ severity }) => severity === "RUG");
  const newest = findNewest(rugs, "RUG");
  if (newest === null)
    return newestFirst.length === 0
      ? { record: "no changes", newest: null, newestRugId: null }
      : { record: "no rug", newest: toCounted(newestFirst.length, "change"), newestRugId: null };
  return {
    record: toCounted(rugs.length, "rug"),
    newest: `${rugs.length === 1 ? "in" : "last in"} epoch ${newest.epoch}`,
    newestRugId: newest.id,
  };
}

function PaidLine({ points }: { points: readonly CommissionPoint[] }) {
  const shown = points.slice(-EPOCHS);
  const known = shown.flatMap(({ appliedCommission }) => appliedCommission ?? []);
  const [first, last] = [shown[0]?.epoch, shown.at(-1)?.epoch];
  const title =
    known.length === 0
      ? "Paid commission: not known"
      : `Paid commission, epochs ${first} to ${last}: ${toPercent(Math.min(...known))} to ${toPercent(Math.max(...known))}`;
  return (
    <div class="strip-line">
      <Sparkline values={shown.map(({ appliedCommission }) => appliedCommission)} title={title} />
    </div>
  );
}
