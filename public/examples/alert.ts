/*
 * Tells of new RUGs of your validators, and of those that no longer stand. Run it every minute
 * (cron), never two at a time (flock): alert.json has what it told. The first run tells nothing.
 *
 *     node alert.ts VOTE_ACCOUNT...      (Node 24; types for your editor: /client.d.ts of the API)
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { components, paths } from "./client.d.ts";

const API = process.env["RUGWATCH"] ?? "http://127.0.0.1:8080";
const NETWORK = "mainnet";
const FILE = "alert.json";
const ATTEMPTS = 5;

type CommissionEvent = components["schemas"]["CommissionEvent"];
type Changes = paths["/api/v1/changes"]["get"]["responses"][200]["content"]["application/json"];

interface Known {
  votes: string[];
  edition: string | null;
  after: number;
  rugs: Record<string, CommissionEvent>;
}

const votes = process.argv.slice(2).toSorted();
if (votes.length === 0) throw new Error("Name the vote accounts of your validators.");
const empty = (): Known => ({ votes, edition: null, after: 0, rugs: {} });

const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Known) : null;
// With other validators it begins anew.
const before = kept !== null && String(kept.votes) === String(votes) ? kept : null;
const now = await goOn(structuredClone(before ?? empty()));
if (before !== null) tellDifferences(before.rugs, now.rugs);
// Kept once all is told: whatever stops it, nothing goes untold.
writeFileSync(`${FILE}.new`, JSON.stringify(now));
renameSync(`${FILE}.new`, FILE);

function tellDifferences(old: Known["rugs"], rugs: Known["rugs"]): void {
  const told = Object.keys(old).flatMap((id) => rugs[id] ?? []);
  for (const rug of Object.values(rugs))
    if (!(rug.id in old) && rug.replacedBy === null && !told.some((one) => isStep(rug, one)))
      tell("RUG", rug);
  for (const rug of Object.values(old)) if (!(rug.id in rugs)) tell("NO LONGER STANDS", rug);
}

/** Replace this by your mail or chat. */
function tell(what: string, { validatorName, votePubkey, ...rug }: CommissionEvent): void {
  const from = rug.fromCommission ?? "unknown";
  const rates = `${rug.source} ${from} % to ${rug.toCommission} %`;
  console.log(`${what}: ${validatorName ?? votePubkey}, ${rates}, event ${rug.id}`);
}

/** Whether an event that was told turned out to be several, of which this is one. */
function isStep(rug: CommissionEvent, whole: CommissionEvent): boolean {
  if (whole.replacedBy === null || rug.votePubkey !== whole.votePubkey) return false;
  const slot = rug.transaction?.slot ?? rug.slot;
  return rug.source === whole.source && slot >= (whole.previousSlot ?? 0) && slot <= whole.slot;
}

async function goOn(known: Known): Promise<Known> {
  for (;;) {
    const query = `network=${NETWORK}&after=${known.after}&limit=1000`;
    const { data, meta } = await ask<Changes>(`/api/v1/changes?${query}`);
    // Another edition of the log begins anew.
    if (known.edition !== null && known.edition !== meta.edition) return goOn(empty());
    for (const { kind, event } of data) {
      if (!votes.includes(event.votePubkey) || event.severity !== "RUG" || !event.confirmed)
        continue;
      if (kind === "withdrawal") delete known.rugs[event.id];
      else known.rugs[event.id] = event;
    }
    known.edition = meta.edition;
    known.after = meta.next;
    if (meta.next === meta.head) return known;
  }
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
