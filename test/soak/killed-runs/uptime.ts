import { z } from "zod";
import { toObjectKey } from "../../../generator/contract/objects.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import type { CheckRow } from "../../../generator/entries/entry.ts";
import type { Witness } from "./witness.ts";

const documentSchema = z.object({ data: z.array(z.object({ date: z.string(), uptimeChecks: z.int() })) });

const HOUR_LENGTH = "YYYY-MM-DDTHH".length;
const MINUTE_LENGTH = "YYYY-MM-DDTHH:MM".length;

/**
 * Counts anew the minutes in which a validator was seen that is in every accepted observation, but for the minutes in which
 * the cluster itself was down: the hours that are over as they are published, the running one as the fold of the whole
 * journal has it.
 */
export async function judgeUptime(
  store: ObjectStore,
  { observations, ledger }: Witness,
): Promise<{ validators: number; minutes: number; faults: string[] }> {
  const hour = observations.at(-1)?.time.slice(0, HOUR_LENGTH) ?? "";
  const checks = Map.groupBy(observations, ({ time }) => time.slice(0, MINUTE_LENGTH));
  const minutes = [...checks].filter(([, [first]]) => !isIncident(first?.votes ?? [])).map(([minute]) => minute);
  const running = minutes.filter((minute) => minute.startsWith(hour)).length;
  const seen = observations.map(({ votes }) => new Set(votes.map(({ vote }) => vote)));
  const always = [...ledger.validators.entries()].filter(([, { vote }]) => seen.every((votes) => votes.has(vote)));
  const faults: string[] = [];
  for (const [ordinal, { vote }] of always) {
    const published = await countPublished(store, vote);
    const counted = ledger.uptime.hourChecks.get("running")?.[ordinal] ?? 0;
    if (published + counted !== minutes.length || counted !== running)
      faults.push(`uptime of ${vote}: ${published} and ${counted} checks in ${minutes.length} minutes, now ${running}`);
  }
  return { validators: always.length, minutes: minutes.length, faults };
}

/** Over a third of the stake delinquent: a minute that is not counted. */
function isIncident(rows: readonly CheckRow[]): boolean {
  const sum = (some: readonly CheckRow[]) => some.reduce((total, { activeStake }) => total + activeStake, 0n);
  return sum(rows.filter(({ delinquent }) => delinquent)) * 3n > sum(rows);
}

async function countPublished(store: ObjectStore, votePubkey: string): Promise<number> {
  const object = await store.get(toObjectKey("mainnet", "uptime", { votePubkey }));
  const { data } = documentSchema.parse(JSON.parse(new TextDecoder().decode(object?.body)));
  return data.reduce((sum, { uptimeChecks }) => sum + uptimeChecks, 0);
}
