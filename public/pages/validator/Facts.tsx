import type { Location, LocationChange } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { toWebAddress } from "../../format/url.ts";
import { NOT_KNOWN, toCount, toCounted, toPercent } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Table } from "../../parts/tables.tsx";
import { Ago, CopyButton, Moment, Sol } from "../../parts/values.tsx";

export function Facts({ resource }: { resource: Resource<{ data: Profile }> }) {
  return (
    <Card title="Profile" folds="on phones">
      <Document resource={resource} lines={12}>
        {({ data }) => (
          <dl class="facts">
            <KeyFacts profile={data} />
            <StakeFacts profile={data} />
            <SoftwareFacts profile={data} />
            <WorkFacts profile={data} />
            <Fact name="Known since epoch">{data.firstSeenEpoch}</Fact>
            <Fact name="Profile changed">{data.updatedAt && <Ago time={data.updatedAt} />}</Fact>
          </dl>
        )}
      </Document>
    </Card>
  );
}

function KeyFacts({ profile: { votePubkey, identityPubkey, website } }: { profile: Profile }) {
  return (
    <>
      <Fact name="Vote account">
        <Key of={votePubkey} what="the vote account" />
      </Fact>
      <Fact name="Identity">
        {identityPubkey === null ? null : <Key of={identityPubkey} what="the identity" />}
      </Fact>
      <Fact name="Website">
        <Website address={website} />
      </Fact>
    </>
  );
}

function Key({ of, what }: { of: string; what: string }) {
  return (
    <span class="profile-key">
      <span class="key">{of}</span> <CopyButton text={of} what={what} />
    </span>
  );
}

/** The whole address, so people see where it leads; no Referer. */
function Website({ address }: { address: string | null }) {
  const href = toWebAddress(address);
  if (href === null) return <span class="quiet">none</span>;
  return (
    <a class="breakable" href={href} rel="noopener noreferrer nofollow ugc">
      {href.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </a>
  );
}

/** Before the stake accounts are read, their zeros mean "not known". */
function StakeFacts({ profile }: { profile: Profile }) {
  const { stakeAccountsAsOf, listed } = profile;
  const isRead = stakeAccountsAsOf !== null;
  return (
    <>
      <Fact name={listed ? "Rank" : "Last rank"}>{toCount(profile.rank)}</Fact>
      <Fact name="Active stake">
        <Sol lamports={profile.activeStake.lamports} />
        <span class="quiet"> {toShare(profile.stakePercent)} of all</span>
      </Fact>
      <Fact name="Activating">
        {isRead ? <Sol lamports={profile.activatingStake.lamports} /> : null}
      </Fact>
      <Fact name="Deactivating">
        {isRead ? <Sol lamports={profile.deactivatingStake.lamports} /> : null}
      </Fact>
      <Fact name="Stake accounts">
        {isRead ? (
          <>
            {toCount(profile.stakeAccountCount)}
            <span class="quiet">
              {" "}
              read <Ago time={stakeAccountsAsOf} />
            </span>
          </>
        ) : null}
      </Fact>
    </>
  );
}

function SoftwareFacts({ profile }: { profile: Profile }) {
  const { client, clientType, version, mevVendorEnabled, batchVendorEnabled } = profile;
  return (
    <>
      <Fact name="Client">{client ?? (clientType === "unknown" ? null : clientType)}</Fact>
      <Fact name="Version">
        {version === null ? null : <span class="breakable">{version}</span>}
      </Fact>
      <Fact name="Builds blocks with">
        {batchVendorEnabled
          ? "the MEV client, batched"
          : mevVendorEnabled
            ? "the MEV client"
            : "no MEV client"}
      </Fact>
    </>
  );
}

function WorkFacts({ profile: { performance } }: { profile: Profile }) {
  const { asOf, epoch, skipRate, leaderSlots, blocksProduced, voteCredits, voteCreditsUnit } =
    performance;
  return (
    <>
      <Fact name={`Skip rate, epoch ${epoch}`}>
        {asOf === null ? null : leaderSlots === 0 ? (
          "no leader slots yet"
        ) : (
          <>
            {toPercent(skipRate)}
            <span class="quiet">
              {" "}
              {toCount(leaderSlots - blocksProduced)} of {toCounted(leaderSlots, "slot")}
            </span>
          </>
        )}
      </Fact>
      <Fact name={voteCreditsUnit === "credits" ? "Vote credits" : "Earned by votes"}>
        {asOf === null
          ? null
          : `${toCount(voteCredits)}${voteCreditsUnit === "credits" ? "" : " lamports"}`}
      </Fact>
    </>
  );
}

/** Up to four decimals: most shares are tiny. */
function toShare(percent: number): string {
  return `${percent.toLocaleString("en", { maximumFractionDigits: 4 })}\u00a0%`;
}

export function Place({ network, votePubkey }: { network: Network; votePubkey: string }) {
  const resource = useDocument(documents.location(network, votePubkey));
  return (
    <Document
      resource={resource}
      lines={4}
      missing="Location: not known. The node announces no address, or no database has it."
    >
      {({ data }) => (
        <>
          <Current current={data.current} />
          <Moves changes={data.changes} />
        </>
      )}
    </Document>
  );
}

function Current({ current }: { current: Location["current"] }) {
  const { city, country, countryCode, dataCenter, asn, asnOrganization } = current;
  return (
    <dl class="facts">
      <Fact name="City">{city}</Fact>
      <Fact name="Country">
        {country === null
          ? countryCode
          : `${country}${countryCode === null ? "" : ` (${countryCode})`}`}
      </Fact>
      <Fact name="Data center">{dataCenter}</Fact>
      <Fact name="Network">
        {asn === null
          ? asnOrganization
          : `AS${asn}${asnOrganization === null ? "" : ` ${asnOrganization}`}`}
      </Fact>
    </dl>
  );
}

function Moves({ changes }: { changes: readonly LocationChange[] }) {
  if (changes.length === 0) return <p class="quiet">We never saw this node move.</p>;
  return (
    <>
      <p class="quiet">{toCounted(changes.length, "move")}, newest first</p>
      <Table label="Moves" columns={["Seen", "From", "To"]} class="moves">
        {changes.map((change) => (
          <tr key={change.detectedAt}>
            <th scope="row">
              <Moment time={change.detectedAt} />
            </th>
            <td>{toPlaceText(change.previousCity, change.previousDataCenter)}</td>
            <td>{toPlaceText(change.city, change.dataCenter)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function toPlaceText(city: string | null, dataCenter: string | null): string {
  return [city, dataCenter].filter((part) => part !== null).join(", ") || NOT_KNOWN;
}
