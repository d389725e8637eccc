/*
 * What staking with a validator yields in a year, by inflation: without tips and block rewards,
 * and if it votes as well as the average.
 *
 *     node apy.ts VOTE_ACCOUNT...        (Node 24; types for your editor: /client.d.ts of the API)
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { paths } from "./client.d.ts";

const API = process.env["RUGWATCH"] ?? "http://127.0.0.1:8080";
const NETWORK = "mainnet";
const ATTEMPTS = 5;

type AnswerOf<Path extends "/api/v1/epochs" | "/api/v1/validators"> =
  paths[Path]["get"]["responses"][200]["content"]["application/json"];

const votes = process.argv.slice(2);
if (votes.length === 0 || votes.length > 100) throw new Error("Name 1 to 100 vote accounts.");

const epochs = await ask<AnswerOf<"/api/v1/epochs">>(`/api/v1/epochs?network=${NETWORK}`);
const year = epochs.data.map(toYear).findLast((one) => one !== null);
if (year === undefined) throw new Error("No epoch's inflation, supply and stake are known yet.");

const query = `network=${NETWORK}&limit=100&votePubkeys=${votes.join()}`;
const { data, meta } = await ask<AnswerOf<"/api/v1/validators">>(`/api/v1/validators?${query}`);
for (const { name, votePubkey, appliedCommission } of data) {
  const who = name ?? votePubkey;
  if (appliedCommission === null) console.log(`${who}: what its rewards pay is not known`);
  else console.log(`${who}: ${toApy(year, appliedCommission).toFixed(2)} %`);
}
for (const unknown of meta.unknown ?? []) console.log(`${unknown}: no validator of ${NETWORK}`);

/** What a stake earns in an epoch before commission, as a share of it. */
function toYear(epoch: AnswerOf<"/api/v1/epochs">["data"][number]) {
  const { inflationRate, supply, activeStake, epochsPerYear } = epoch;
  if (inflationRate === null || supply === null || activeStake === null || epochsPerYear === null)
    return null;
  const yieldPerEpoch = (supply.sol * inflationRate) / epochsPerYear / activeStake.sol;
  return { yieldPerEpoch, epochsPerYear };
}

/** Percent. Rewards are staked too, so they compound. */
function toApy({ yieldPerEpoch, epochsPerYear }: NonNullable<typeof year>, commission: number) {
  return 100 * ((1 + yieldPerEpoch * (1 - commission / 100)) ** epochsPerYear - 1);
}

/** 429 and 503 say when to ask again. */
async function ask<Answer>(path: string): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(API + path);
    if (response.ok) return (await response.json()) as Answer;
    const wait = response.headers.get("retry-after");
    if (wait === null || attempt === ATTEMPTS)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await sleep(Number(wait) * 1_000);
  }
}
