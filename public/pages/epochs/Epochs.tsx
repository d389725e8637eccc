import { useEffect, useRef } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { EpochRow } from "../../../generator/contract/epochs.ts";
import type { RugsPerEpoch } from "../../../generator/contract/stats.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { readWhole } from "../../format/url.ts";
import { toCounted, toDuration, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, SeverityBadge } from "../../parts/Change.tsx";
import { Disclosure } from "../../parts/Disclosure.tsx";
import { Document, Loading } from "../../parts/Document.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { Ago, Moment, Sol } from "../../parts/values.tsx";
import "../../style/epochs.css";

const ROWS = 20;
const ROWS_MAX = 10_000;
const EPOCH_MAX = 1_000_000;
const NONE = -1;
/** As high as the rows that follow, so that nothing below moves. */
const LINES = 24;
/** The most that the API gives at once. */
const RUGS_MAX = 100;

export default function Epochs() {
  const { query, network } = useUrl();
  const running = useEpoch(network).held?.document.data ?? null;
  const resource = useDocument(documents.epochs(network));
  const rugs = useDocument(documents.rugsPerEpoch(network, { epochs: RUGS_MAX }));
  const byEpoch = new Map(rugs.held?.document.data.map((row) => [row.epoch, row]));
  const isWaiting = rugs.held === null && rugs.problem === null;
  const asked = readWhole(query["epoch"], { min: 0, max: EPOCH_MAX, otherwise: NONE });
  return (
    <div class="stack">
      <header class="epochs-header">
        <h1>Epochs of {network}</h1>
        <p class="quiet">
          Rewards are paid when an <Term of="Epoch">epoch</Term> ends, by a rate that was announced
          up to two epochs before.
          {running !== null && <Running epoch={running} />}
        </p>
      </header>
      <Card title="Rugs of each epoch, newest first">
        <Document
          resource={resource}
          lines={LINES}
          isEmpty={({ data }) => data.length === 0}
          empty={`We know no epoch of ${network} yet.`}
        >
          {({ data }) => {
            // Each row would grow when they come.
            if (isWaiting) return <Loading lines={LINES} />;
            const newestFirst = data.toReversed();
            const most = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
            const rows = Math.max(most, newestFirst.findIndex(({ epoch }) => epoch === asked) + 1);
            return (
              <>
                <ol class="epoch-rows">
                  {newestFirst.slice(0, rows).map((row) => (
                    <Row
                      key={row.epoch}
                      row={row}
                      rugs={byEpoch.get(row.epoch)}
                      isAsked={row.epoch === asked}
                    />
                  ))}
                </ol>
                <TableEnd rows={rows} total={data.length} step={ROWS}>
                  {toCounted(data.length, "epoch")} ·{" "}
                  <a href={documents.epochs(network).url}>as JSON</a>
                </TableEnd>
              </>
            );
          }}
        </Document>
      </Card>
    </div>
  );
}

/** Other clusters have another length. */
function Running({
  epoch: { epoch, slotsInEpoch, epochStartedAt, epochEndsAt },
}: {
  epoch: Epoch;
}) {
  const length =
    epochStartedAt === null || epochEndsAt === null
      ? null
      : Date.parse(epochEndsAt) - Date.parse(epochStartedAt);
  return (
    <>
      {" "}
      Epoch {epoch} has {toCounted(slotsInEpoch, "slot")}
      {length !== null && `, takes about ${toDuration(length)}`}
      {epochEndsAt !== null && (
        <>
          {" "}
          and ends about <Moment time={epochEndsAt} />
        </>
      )}
      .
    </>
  );
}

interface RowProps {
  row: EpochRow;
  /** undefined: not known. */
  rugs: RugsPerEpoch | undefined;
  /** The address names it. */
  isAsked: boolean;
}

function Row({ row, rugs, isAsked }: RowProps) {
  const { epoch, startedAt, inflationRate, activeStake } = row;
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isAsked) place.current?.scrollIntoView({ block: "center" });
  }, [isAsked]);
  return (
    <li ref={place} class={isAsked ? "epoch-asked" : undefined}>
      <div class="epoch-row-line">
        <strong>Epoch {epoch}</strong>
        <span class="quiet">
          {startedAt !== null && (
            <>
              began <Moment time={startedAt} />
            </>
          )}
        </span>
        <span class="quiet epoch-more">
          {activeStake !== null && <Sol lamports={activeStake.lamports} />}
          {inflationRate !== null && ` · ${toPercent(toRounded(inflationRate))} inflation a year`}
        </span>
        <span class={rugs !== undefined && rugs.uniqueValidators > 0 ? "epoch-rugs" : "quiet"}>
          {rugs === undefined ? "…" : toRugsText(rugs)}
        </span>
      </div>
      {rugs !== undefined && rugs.uniqueValidators > 0 && (
        <Disclosure what={`who rugged in epoch ${epoch}`} isOpenAtFirst={isAsked}>
          {() => <Ruggers epoch={epoch} />}
        </Disclosure>
      )}
    </li>
  );
}

function Ruggers({ epoch }: { epoch: number }) {
  const { network } = useUrl();
  const resource = useDocument(documents.epochEvents(network, epoch));
  return (
    <Document resource={resource} lines={3}>
      {({ data }) => (
        <ul class="ruggers">
          {data.map((event) => (
            <li key={event.id}>
              <SeverityBadge severity={event.severity} />
              <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} />
              <Change event={event} />
              {event.createdAt !== null && (
                <span class="quiet">
                  <Ago time={event.createdAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Document>
  );
}

/** "3 rugs by 2 validators" */
export function toRugsText({
  uniqueValidators,
  totalEvents,
}: Pick<RugsPerEpoch, "uniqueValidators" | "totalEvents">): string {
  if (totalEvents === 0) return "no rug";
  const rugs = toCounted(totalEvents, "rug");
  return uniqueValidators === totalEvents
    ? rugs
    : `${rugs} by ${toCounted(uniqueValidators, "validator")}`;
}

/** A share as percent with two decimals. */
function toRounded(share: number): number {
  return Math.round(share * 10_000) / 100;
}
