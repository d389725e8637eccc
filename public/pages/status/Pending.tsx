import type { Status } from "../../../generator/contract/status.ts";
import { SOURCE_NAMES } from "../../format/events.ts";
import { type PendingChange, toSideText, toWitnessesText } from "../../format/pending.ts";
import { toCount, toCounted } from "../../format/values.ts";
import { Table } from "../../parts/tables.tsx";
import { Term } from "../../parts/Term.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { Ago, ChainName } from "../../parts/values.tsx";

export function Pending({ status: { pending, dropped } }: { status: Status }) {
  return (
    <>
      <p class="lead">
        A change is pending until it is <Term of="Confirmed">confirmed</Term>: a majority of the
        endpoints must show it or, if there is only one, it must show it again. Until then every
        page shows the old value. If endpoints disagree, we ask again with every check.{" "}
        {dropped > 0 && (
          <>We dropped {toCounted(dropped, "change")} that the endpoints did not confirm.</>
        )}
      </p>
      {pending.length === 0 ? (
        <p class="state">No change is pending.</p>
      ) : (
        <Table
          label="Pending changes"
          columns={["Validator", "Change", "First seen", "Endpoints"]}
          scrolls="sideways"
        >
          {pending.map((change) => (
            <Row key={`${change.votePubkey} ${change.source}`} change={change} />
          ))}
        </Table>
      )}
    </>
  );
}

function Row({ change }: { change: PendingChange }) {
  const { votePubkey, source, fromCommission, toCommission, firstSeenAt, disputed } = change;
  return (
    <tr>
      <th scope="row">
        <ValidatorName votePubkey={votePubkey} name={null} />
      </th>
      <td>
        {SOURCE_NAMES[source]} {toSideText(fromCommission, source)}{" "}
        <span aria-hidden="true">→</span>
        <span class="visually-hidden"> to </span>{" "}
        <strong>{toSideText(toCommission, source)}</strong>
      </td>
      <td>
        <Ago time={firstSeenAt} />
      </td>
      <td>
        {disputed && <strong>Disputed. </strong>}
        {toWitnessesText(change)}
      </td>
    </tr>
  );
}

const NAMED = 3;

export function Swept({ status: { swept } }: { status: Status }) {
  const { validators, covered, upToSlot, refused, contradictions, busy, busyTotal } = swept;
  return (
    <>
      <p class="lead">
        Once an epoch we search the transactions of every withdraw authority for changes of
        commission that no observation saw. {toCoveredText({ validators, covered, upToSlot })}
        {refused > 0 &&
          ` For ${toCounted(refused, "validator")} too few endpoints have past transactions.`}
        {contradictions > 0 &&
          ` Proved transactions contradict ${toCounted(contradictions, "reading")} of a commission; the transactions count.`}
      </p>
      {busyTotal > 0 && (
        <>
          <p class="state">
            We cannot search {toCounted(busyTotal, "authority that signs", "authorities that sign")}{" "}
            too much
            {busyTotal > busy.length && ` (here the first ${toCount(busy.length)})`}:
          </p>
          <Busy busy={busy} />
        </>
      )}
    </>
  );
}

function toCoveredText({
  validators,
  covered,
  upToSlot,
}: Pick<Status["swept"], "validators" | "covered" | "upToSlot">) {
  if (upToSlot === null) return "We have searched none yet.";
  return `We have searched ${toCount(covered)} of ${toCounted(validators, "validator")} up to slot ${toCount(upToSlot)}.`;
}

function Busy({ busy }: { busy: Status["swept"]["busy"] }) {
  return (
    <Table
      label="Busy authorities"
      caption="Authorities that sign too much to search"
      columns={["Withdraw authority", "Validators"]}
    >
      {busy.map(({ authority, votePubkeys }) => (
        <tr key={authority}>
          <th scope="row">
            <ChainName kind="address" name={authority} what="the authority" />
          </th>
          <td>
            {votePubkeys.slice(0, NAMED).map((votePubkey) => (
              <div key={votePubkey}>
                <ValidatorName votePubkey={votePubkey} name={null} />
              </div>
            ))}
            {votePubkeys.length > NAMED && (
              <span class="bounds">and {toCount(votePubkeys.length - NAMED)} more</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
