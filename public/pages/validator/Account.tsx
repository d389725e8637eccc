import type { Profile } from "../../../generator/contract/validator.ts";
import type { Resource } from "../../api/use-document.ts";
import { toProofText } from "../../format/events.ts";
import { toCount, toPercent } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Table } from "../../parts/tables.tsx";
import { Term } from "../../parts/Term.tsx";
import { ChainName, Moment } from "../../parts/values.tsx";

/** How the API calls a change without a known transaction. */
const OBSERVED = "observed";

type AccountChange = Profile["accountChanges"][number];

const NAMES: Readonly<Record<string, string>> = {
  withdrawAuthority: "Withdraw authority",
  inflationCollector: "Account that gets the inflation commission",
  blockRevenueCollector: "Account that gets the block revenue",
  blockRevenueCommission: "Block revenue commission",
} satisfies Record<AccountChange["of"], string>;

export function Account({ resource }: { resource: Resource<{ data: Profile }> }) {
  return (
    <Card title="Vote account" folds="always">
      <Document resource={resource} lines={4}>
        {({ data: { withdrawAuthority, commissionCollector, accountChanges } }) => (
          <>
            <dl class="facts">
              <Fact name={<Term of="Withdraw authority">Withdraw authority</Term>}>
                {withdrawAuthority === null ? null : (
                  <ChainName
                    kind="address"
                    name={withdrawAuthority}
                    what="the withdraw authority"
                  />
                )}
              </Fact>
              <Fact name="Inflation commission goes to">
                {commissionCollector === null ? (
                  <span class="quiet">the vote account, as far as we know</span>
                ) : (
                  <ChainName kind="address" name={commissionCollector} what="the collector" />
                )}
              </Fact>
            </dl>
            <Changes changes={accountChanges} />
          </>
        )}
      </Document>
    </Card>
  );
}

function Changes({ changes }: { changes: readonly AccountChange[] }) {
  if (changes.length === 0)
    return <p class="quiet">We know no change of it but those of its inflation commission.</p>;
  return (
    <Table
      label="Changes of the vote account"
      caption="Changes of the vote account, newest first"
      columns={["When", "What", "To", "Transaction"]}
      scrolls="sideways"
      class="wide-table account-changes"
    >
      {changes.map((change, index) => (
        <ChangeRow key={`${change.slot} ${index}`} change={change} />
      ))}
    </Table>
  );
}

function ChangeRow({ change }: { change: AccountChange }) {
  const {
    of,
    toKey,
    fromCommission,
    toCommission,
    slot,
    epoch,
    blockTime,
    signature,
    firstSeenAt,
    verified,
  } = change;
  const time = blockTime ?? (signature === null ? firstSeenAt : null);
  return (
    <tr>
      <td>
        {time === null ? `epoch ${epoch}` : <Moment time={time} />}
        <span class="bounds">
          {signature === null && "first seen in "}slot {toCount(slot)}
        </span>
      </td>
      <th scope="row">{NAMES[of] ?? of}</th>
      <td>
        {toKey === null ? (
          `${fromCommission === null ? "" : `${toPercent(fromCommission)} → `}${toPercent(toCommission)}`
        ) : (
          <ChainName kind="address" name={toKey} what="the key" />
        )}
      </td>
      <td>
        {signature === null ? (
          <span class="quiet">not known</span>
        ) : (
          <ChainName kind="tx" name={signature} what="the signature" />
        )}
        <span class="bounds">
          {verified === OBSERVED ? "two snapshots show the new rate" : toProofText(verified)}
        </span>
      </td>
    </tr>
  );
}
