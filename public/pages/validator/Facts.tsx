import type { Profile } from "../../../generator/contract/validator.ts";
import type { Reading } from "../../api/use-document.ts";
import { toCount, toPercent } from "../../format/amounts.ts";
import { Ago } from "../../parts/Ago.tsx";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Sol } from "../../parts/Sol.tsx";
import { Fact } from "./Fact.tsx";

/** Stake, software and work of the validator as of the last snapshot. */
export function Facts({ reading }: { reading: Reading<{ data: Profile }> }) {
  return (
    <Card title="Profile" class="profile">
      <Document reading={reading} lines={12}>
        {({ data }) => (
          <dl class="facts">
            <StakeFacts profile={data} />
            <SoftwareFacts profile={data} />
            <WorkFacts profile={data} />
            <Fact name="Known since epoch">{data.firstSeenEpoch}</Fact>
            <Fact name="Last change of this">{data.updatedAt && <Ago time={data.updatedAt} />}</Fact>
          </dl>
        )}
      </Document>
    </Card>
  );
}

/** Stake accounts are read apart from the rest: zeros that nobody read are not shown as zeros. */
function StakeFacts({ profile }: { profile: Profile }) {
  const { stakeAccountsAsOf, listed } = profile;
  const isRead = stakeAccountsAsOf !== null;
  return (
    <>
      <Fact name={listed ? "Rank" : "Last rank"}>{toCount(profile.rank)}</Fact>
      <Fact name="Active stake">
        <Sol lamports={profile.activeStake.lamports} />
        <span class="quiet"> {toShare(profile.stakePercent)}</span>
      </Fact>
      <Fact name="Activating">{isRead ? <Sol lamports={profile.activatingStake.lamports} /> : null}</Fact>
      <Fact name="Deactivating">{isRead ? <Sol lamports={profile.deactivatingStake.lamports} /> : null}</Fact>
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
      <Fact name="Version">{version === null ? null : <span class="breakable">{version}</span>}</Fact>
      <Fact name="MEV vendor's client">{mevVendorEnabled ? "yes" : "no"}</Fact>
      <Fact name="Batched blocks' client">{batchVendorEnabled ? "yes" : "no"}</Fact>
    </>
  );
}

function WorkFacts({ profile: { performance } }: { profile: Profile }) {
  const { asOf, epoch, skipRate, leaderSlots, blocksProduced, voteCredits, voteCreditsUnit } = performance;
  return (
    <>
      <Fact name={`Skipped slots, epoch ${epoch}`}>
        {asOf === null ? null : leaderSlots === 0 ? (
          "has not led yet"
        ) : (
          <>
            {toPercent(skipRate)}
            <span class="quiet">
              {" "}
              {toCount(leaderSlots - blocksProduced)} of {toCount(leaderSlots)}
            </span>
          </>
        )}
      </Fact>
      <Fact name={voteCreditsUnit === "credits" ? "Vote credits" : "Earned by votes"}>
        {asOf === null ? null : `${toCount(voteCredits)}${voteCreditsUnit === "credits" ? "" : " lamports"}`}
      </Fact>
    </>
  );
}

/** A share of all stake, which is small for nearly everybody: four decimals, as documents have them. */
function toShare(percent: number): string {
  return `${percent.toLocaleString("en", { maximumFractionDigits: 4 })} %`;
}
