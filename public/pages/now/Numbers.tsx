import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import { apiNow } from "../../api/clock.ts";
import type { Resource } from "../../api/use-document.ts";
import { toCount, toDuration, toPercent, toShortSol } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Moment } from "../../parts/values.tsx";
import { AHEAD_ANCHOR, toKeepersAddress, toWorst } from "./worst.ts";

interface NumbersProps {
  rugs: Resource<DocumentOf<"rugsPerEpoch">>;
  epoch: Resource<{ data: Epoch }>;
}

/** How bad it is now, in three numbers. */
export function Numbers({ rugs, epoch }: NumbersProps) {
  const { network } = useUrl();
  return (
    <div class="numbers">
      <Card title={`Keep ${toPercent(RUG_PERCENT)} or more`} class="first-number">
        <Document resource={rugs} lines={2}>
          {({ meta }) => <Keepers meta={meta} />}
        </Document>
      </Card>
      <Card title="SOL affected" class="first-number">
        <Document resource={rugs} lines={2}>
          {({ meta: { keeping } }) => (
            <>
              <p class="number-value">{toShortSol(keeping.inflation.activeStake.lamports)} SOL</p>
              <p>
                is delegated to{" "}
                <a href={toKeepersAddress("inflation", network)}>
                  {keeping.inflation.validators === 1
                    ? "this one"
                    : `these ${toCount(keeping.inflation.validators)}`}
                </a>
              </p>
            </>
          )}
        </Document>
      </Card>
      <Card title="Epoch" class="first-number">
        <Document resource={epoch} lines={2}>
          {({ data }) => <Progress epoch={data} />}
        </Document>
      </Card>
    </div>
  );
}

/** Each number leads to those that it counts. */
function Keepers({ meta }: { meta: DocumentOf<"rugsPerEpoch">["meta"] }) {
  const { network } = useUrl();
  const { inflation, mev } = meta.keeping;
  const { validatorsAnnounced } = meta.standing;
  const more = `${toCount(validatorsAnnounced)} more will`;
  return (
    <>
      <p class="number-value number-rug">{toCount(inflation.validators)}</p>
      <p>
        <a href={toKeepersAddress("inflation", network)}>
          {inflation.validators === 1 ? "validator keeps" : "validators keep"}{" "}
          {toPercent(RUG_PERCENT)} or more
        </a>{" "}
        of inflation rewards now
        {validatorsAnnounced > 0 && (
          <>
            ; {toWorst(meta).ahead.length === 0 ? more : <a href={`#${AHEAD_ANCHOR}`}>{more}</a>},
            after a rise
          </>
        )}
      </p>
      <p class="note">
        <a href={toKeepersAddress("mev", network)}>
          {mev.validators === 1 ? "1 keeps" : `${toCount(mev.validators)} keep`} as much
        </a>{" "}
        of MEV tips.
      </p>
    </>
  );
}

function Progress({ epoch }: { epoch: Epoch }) {
  const now = apiNow.value;
  const progress = toProgress(epoch, now);
  const { epochEndsAt } = epoch;
  const left = epochEndsAt === null || now === null ? null : Date.parse(epochEndsAt) - now;
  return (
    <>
      <p class="number-value">
        {left === null ? "Time left: not known" : left > 0 ? toDuration(left) : "starting"}
      </p>
      <p>
        until <Term of="Epoch">epoch</Term> {epoch.epoch + 1}. This one is {epoch.epoch},{" "}
        {toPercent(Math.floor(progress * 10) / 10)} over
        {epochEndsAt !== null && (
          <>
            , and ends about <Moment time={epochEndsAt} />
          </>
        )}{" "}
        ·{" "}
        {epoch.live ? (
          <span class="live">live</span>
        ) : (
          <span
            class="not-live"
            title="The cluster does not answer. We estimate from the last snapshot."
          >
            not live, estimated
          </span>
        )}
      </p>
      {/* `progress` needs no style attribute, which the CSP forbids. */}
      <progress class="epoch-bar" max={100} value={progress} aria-label={`Epoch ${epoch.epoch}`} />
    </>
  );
}

/** 0 to 100 percent by the clock; without known times, the progress when the epoch was read. */
export function toProgress(epoch: Epoch, now: number | null): number {
  const { epochStartedAt, epochEndsAt, progressPercent } = epoch;
  if (epochStartedAt === null || epochEndsAt === null || now === null) return progressPercent;
  const start = Date.parse(epochStartedAt);
  return Math.min(100, Math.max(0, (100 * (now - start)) / (Date.parse(epochEndsAt) - start)));
}
