import type { ComponentChild } from "preact";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import type { StandingRug } from "../../../generator/contract/standing-rugs.ts";
import type { Resource } from "../../api/use-document.ts";
import { type Charge, toNextCharges } from "../../format/charges.ts";
import { toCount, toCounted, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, ChargesText, PayText } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { PaidSparkline } from "../../parts/PaidSparkline.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";
import { AHEAD_ANCHOR, type Keeper, toKeepersAddress, toTold, toWorst } from "./worst.ts";

type RugsDocument = DocumentOf<"rugsPerEpoch">;

interface Known {
  /** The newest of the network. */
  events: readonly CommissionEvent[];
  epoch: Epoch | null;
}

export function WorstNow({ resource, ...known }: Known & { resource: Resource<RugsDocument> }) {
  return (
    <Card title="The worst now" class="worst-now">
      <Document resource={resource} lines={5}>
        {({ meta }) => <Groups meta={meta} {...known} />}
      </Document>
    </Card>
  );
}

function Groups({ meta, events, epoch }: Known & { meta: RugsDocument["meta"] }) {
  const { standing, keeping } = meta;
  const { paid, ahead, others } = toWorst(meta);
  const rate = toPercent(RUG_PERCENT);
  if (paid.length + ahead.length + others.length === 0)
    return (
      <>
        <p class="worst-headline">No validator takes {rate} or more of inflation rewards.</p>
        <AllOfThem keeping={keeping} />
      </>
    );
  return (
    <>
      <p class="quiet">
        They keep {rate} or more of inflation rewards or, where it says so, of MEV tips, or will in
        an epoch ahead. In each group the most stake comes first.
      </p>
      <Group title={`Paid now, after a rise: ${toShownText(paid.length, standing.validatorsPaid)}`}>
        {paid.map((rug) => (
          <RugRow key={rug.votePubkey} rug={rug} events={events} epoch={epoch} />
        ))}
      </Group>
      <Group
        anchor={AHEAD_ANCHOR}
        title={`Paid from a later epoch, after a rise: ${toShownText(ahead.length, standing.validatorsAnnounced)}`}
      >
        {ahead.map((rug) => (
          <RugRow key={rug.votePubkey} rug={rug} events={events} epoch={epoch} />
        ))}
      </Group>
      <Group title="Others that keep as much of inflation rewards now">
        {others.map((keeper) => (
          <KeeperRow key={keeper.votePubkey} keeper={keeper} epoch={epoch} />
        ))}
      </Group>
      <AllOfThem keeping={keeping} />
    </>
  );
}

/** "2", "the 8 with the most stake of 23" */
export function toShownText(shown: number, all: number): string {
  return shown === all
    ? toCount(all)
    : `the ${toCount(shown)} with the most stake of ${toCount(all)}`;
}

interface GroupProps {
  title: string;
  anchor?: string;
  children: ComponentChild[];
}

function Group({ title, anchor, children }: GroupProps) {
  if (children.length === 0) return null;
  return (
    <>
      <h3 class="worst-title" id={anchor}>
        {title}
      </h3>
      <ol class="worst-list">{children}</ol>
    </>
  );
}

/** The list above has the worst; these have all, each by what it is that they keep. */
function AllOfThem({ keeping: { inflation, mev } }: { keeping: RugsDocument["meta"]["keeping"] }) {
  const { network } = useUrl();
  const keepers = [
    {
      of: "inflation" as const,
      count: inflation.validators,
      what: `${toPercent(RUG_PERCENT)} or more of inflation rewards`,
    },
    { of: "mev" as const, count: mev.validators, what: "as much of MEV tips" },
  ].filter(({ count }) => count > 0);
  if (keepers.length === 0) return null;
  return (
    <p class="note worst-all">
      {keepers.map(({ of, count, what }) => (
        <a key={of} href={toKeepersAddress(of, network)}>
          {count === 1 ? "The validator that keeps" : `All ${toCount(count)} validators that keep`}{" "}
          {what}
        </a>
      ))}
    </p>
  );
}

function RugRow({ rug, events, epoch }: Known & { rug: StandingRug }) {
  const { event, iconUrl, activeStake, appliedCommissions } = rug;
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={iconUrl} />
      <Change event={event} />
      <span class="worst-paid">
        {/* There is no history of MEV commission here, and that of inflation would mislead. */}
        {event.source === "COMMISSION" && <PaidSparkline paid={appliedCommissions} />}
      </span>
      <PayText
        event={epoch === null ? event : toTold(rug, events, epoch.epoch)}
        rates={rug}
        epoch={epoch}
      />
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

function KeeperRow({ keeper, epoch }: { keeper: Keeper; epoch: Epoch | null }) {
  const { votePubkey, name, iconUrl, activeStake, appliedCommissions } = keeper;
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
      <span class="change change-rise">
        <span class="change-source">Inflation</span>{" "}
        <strong>{toPercent(keeper.appliedCommission)}</strong>
      </span>
      <span class="worst-paid">
        <PaidSparkline paid={appliedCommissions} />
      </span>
      <span class="effect">
        {toSinceText(appliedCommissions)}
        <Later charges={epoch === null ? [] : toNextCharges(keeper, epoch.epoch)} epoch={epoch} />
      </span>
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

/** "costs in each of the newest 11 epochs on record" */
export function toSinceText(paid: readonly (number | null)[]): string {
  const known = paid.filter((rate) => rate !== null);
  return known.every((rate) => rate >= RUG_PERCENT)
    ? `costs in each of the ${toCounted(known.length, "epoch")} that we know`
    : "costs now";
}

function Later({ charges, epoch }: { charges: readonly Charge[]; epoch: Epoch | null }) {
  if (epoch === null || charges.length < 2) return null;
  return (
    <>
      <br />
      <ChargesText charges={charges} epoch={epoch} />
    </>
  );
}
