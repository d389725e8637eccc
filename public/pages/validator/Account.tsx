import type { Profile } from "../../../generator/contract/validator.ts";
import type { Resource } from "../../api/use-document.ts";
import { toProofText } from "../../format/events.ts";
import { toCount, toPercent } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Table } from "../../parts/tables.tsx";
import { Term } from "../../parts/Term.tsx";
import { ChainName } from "../../parts/values.tsx";
import { toTimeText } from "../../parts/zone.ts";

type AccountChange = Profile["accountChanges"][number];

const NAMES: Readonly<Record<string, string>> = {
  withdrawAuthority: "Withdraw authority",
  inflationCollector: "Account that gets the inflation commission",
  blockRevenueCollector: "Account that gets the block revenue",
  blockRevenueCommission: "Block revenue commission",
} satisfies Record<AccountChange["of"], string>;

export function Account({ resource }: { resource: Resource<{ data: Profile }> }) {
  return (
    <Card title="Vote account">
      <Document resource={resource} lines={4}>
        {({ data: { withdrawAuthority, commissionCollector, blockRevenueCommission, accountChanges } }) => (
          <>
            <dl class="facts">
              <Fact name={<Term of="Withdraw authority">Withdraw authority</Term>}>
                {withdrawAuthority === null ? null : (
                  <ChainName kind="address" name={withdrawAuthority} what="the withdraw authority" />
                )}
              </Fact>
              <Fact name="Inflation commission goes to">
                {commissionCollector === null ? (
                  <span class="quiet">the vote account, as far as we know</span>
                ) : (
                  <ChainName kind="address" name={commissionCollector} what="the collector" />
                )}
              </Fact>
              <Fact name="Block revenue commission">
                {blockRevenueCommission === null ? null : toPercent(blockRevenueCommission)}
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
    return <p class="quiet">We know no transaction that changed anything but its commission.</p>;
  return (
    <Table
      label="Changes of the vote account"
      caption="Changes of the vote account, newest first"
      columns={["When", "What", "To", "Transaction"]}
      scrolls="sideways"
      class="wide-table account-changes"
    >
      {changes.map((change, index) => (
        <ChangeRow key={`${change.signature} ${index}`} change={change} />
      ))}
    </Table>
  );
}

function ChangeRow({ change }: { change: AccountChange }) {
  const { of, toKey, toCommission, slot, epoch, blockTime, signature, verified } = change;
  return (
    <tr>
      <td>
        {blockTime === null ? `epoch ${epoch}` : <time dateTime={blockTime}>{toTimeText(blockTime)}</time>}
        <span class="bounds">slot {toCount(slot)}</span>
      </td>
      <th scope="row">{NAMES[of] ?? of}</th>
      <td>{toKey === null ? toPercent(toCommission) : <ChainName kind="address" name={toKey} what="the key" />}</td>
      <td>
        <ChainName kind="tx" name={signature} what="the signature" />
        <span class="bounds">{toProofText(verified)}</span>
      </td>
    </tr>
  );
}
