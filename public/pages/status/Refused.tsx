import type { Status } from "../../../generator/contract/status.ts";
import { NOT_KNOWN, toCount, toCounted } from "../../format/values.ts";
import { Table } from "../../parts/tables.tsx";
import { Ago } from "../../parts/values.tsx";

export function Refused({ status: { observations, refused, quarantined } }: { status: Status }) {
  const { accepted } = observations;
  return (
    <>
      <p class="lead">
        We refuse an observation that cannot be true, for example from a node that is behind or that
        lost half of the validators. We accepted {toCount(accepted)} and refused{" "}
        {toCount(observations.refused)}.
      </p>
      {refused.length === 0 ? (
        <p class="state">We refused none lately.</p>
      ) : (
        <Reasons
          caption="Refused observations, newest first"
          rows={refused.map(({ observation, time, reason }) => ({
            name: observation,
            time,
            reason,
          }))}
        />
      )}
      {quarantined.length > 0 && (
        <>
          <p class="lead">
            We cannot read {toCounted(quarantined.length, "object")} of the journal:
          </p>
          <Reasons
            caption="Unreadable objects"
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
    <Table label={caption} columns={["When", "Why"]}>
      {rows.map(({ name, time, reason }) => (
        <tr key={name}>
          <td class="when">
            {time === null ? <span class="quiet">{NOT_KNOWN}</span> : <Ago time={time} />}
          </td>
          <td>
            {reason}
            <code class="bounds breakable">{name}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Ruling = Status["rulings"][number];

const VERDICTS: Readonly<Record<Ruling["of"], Record<Ruling["verdict"], string>>> = {
  event: { accept: "Event stands", ignore: "Event withdrawn" },
  observation: { accept: "Observation accepted", ignore: "Observation refused" },
};

export function Rulings({ status: { rulings, rulingsTotal, withdrawn } }: { status: Status }) {
  return (
    <>
      <p class="lead">
        We, who run this site, correct the record, and must give a reason.{" "}
        {withdrawn > 0 && <>We withdrew {toCounted(withdrawn, "event")}, which no page shows.</>}
      </p>
      {rulings.length === 0 ? (
        <p class="state">There is no ruling yet.</p>
      ) : (
        <Table label="Rulings" caption="Rulings, newest first" columns={["When", "What", "Why"]}>
          {rulings.map(({ subject, of, verdict, reason, ruledAt }) => (
            <tr key={subject}>
              <td class="when">
                <Ago time={ruledAt} />
              </td>
              <td>
                {VERDICTS[of][verdict]}
                <code class="bounds breakable">{subject}</code>
              </td>
              <td class="breakable">{reason}</td>
            </tr>
          ))}
        </Table>
      )}
      {rulingsTotal > rulings.length && (
        <p class="quiet">
          The newest {toCount(rulings.length)} of {toCount(rulingsTotal)}.
        </p>
      )}
    </>
  );
}
