import type { Status } from "../../../generator/contract/status.ts";
import { toCount, toCounted } from "../../format/amounts.ts";
import { Ago } from "../../parts/Ago.tsx";

/** What was observed and not believed, and what of the journal cannot be read any more. */
export function Refused({ status: { observations, refused, quarantined } }: { status: Status }) {
  const { accepted } = observations;
  return (
    <>
      <p class="lead">
        An observation that cannot be true, say one of a node that is behind or that lost half of the validators, is
        kept but not believed. {toCount(accepted)} were believed, {toCount(observations.refused)} were not.
      </p>
      {refused.length === 0 ? (
        <p class="state">None was refused lately.</p>
      ) : (
        <Reasons
          caption="Refused observations, newest first"
          rows={refused.map(({ observation, time, reason }) => ({ name: observation, time, reason }))}
        />
      )}
      {quarantined.length > 0 && (
        <>
          <p class="lead">{toCounted(quarantined.length, "object")} of the journal cannot be read and left out:</p>
          <Reasons
            caption="Objects that cannot be read"
            rows={quarantined.map(({ object, reason }) => ({ name: object, time: null, reason }))}
          />
        </>
      )}
    </>
  );
}

interface ReasonRow {
  name: string;
  time: string | null;
  reason: string;
}

function Reasons({ caption, rows }: { caption: string; rows: readonly ReasonRow[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="wide-table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, time, reason }) => (
            <tr key={name}>
              <td class="when">{time === null ? <span class="quiet">not known</span> : <Ago time={time} />}</td>
              <td>
                {reason}
                <code class="bounds breakable">{name}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
