import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { lieAt } from "../../cluster/rpc/endpoints.ts";
import type { PlannedChange } from "../../cluster/chain/planned-changes.ts";
import type { Report } from "../../../generator/service/report.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, openStage, timeAt, type PlayOptions, type Stage } from "../../service/harness.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

export interface Look {
  /** Start, in milliseconds since 1970. */
  time: number;
  report: Report;
  listed: Set<string>;
  /** Since when, by vote account. */
  delinquent: Map<string, string | null>;
  mev: Ledger["sources"]["mev"];
}

export interface PlayedStory {
  stage: Stage;
  looks: Look[];
  planned: PlannedChange[];
  /** The vanishing validator's profile during its absence. */
  vanished: DocumentOf<"validator">;
}

export const END = 4.2;

/** The MEV vendor's API fails in these; the accounts on chain are read instead. */
export const OUTAGE: [first: number, last: number] = [FIRST_EPOCH + 1, FIRST_EPOCH + 2];

export async function playStory(): Promise<PlayedStory> {
  const stage = await openStage({ mevOutageEpochs: OUTAGE });
  const looks: Look[] = [];
  const onReport: PlayOptions["onReport"] = (report, { projection }) =>
    void looks.push(toLook(structuredClone(report), projection.ledger()));
  await stage.play({ until: timeAt(1), onReport });
  const vanished = await readDocument(stage, "validator", { votePubkey: voteOf(stage) });
  await stage.play({ until: timeAt(END), onReport });
  const planned = stage.cluster
    .plannedChanges(FIRST_EPOCH + Math.floor(END))
    .filter(({ atMilliseconds }) => atMilliseconds < timeAt(END) - 10 * MINUTE);
  return { stage, looks, planned, vanished };
}

/** The validator that vanishes. */
export function voteOf({ cluster }: Stage): string {
  return cluster.members.find(({ life }) => life.role === "vanisher")!.vote.address;
}

export function lieOf({ cluster }: Stage, time: number) {
  return lieAt(cluster, "first", cluster.at(time).moment);
}

function toLook(report: Report, { validators, acceptance, sources }: Ledger): Look {
  const listed = validators.filter((validator) => validator.listed);
  const delinquent = listed.filter((validator) => validator.delinquent);
  return {
    time: Date.parse(acceptance.newest?.time ?? ""),
    report,
    listed: new Set(listed.map(({ vote }) => vote)),
    delinquent: new Map(delinquent.map(({ vote, delinquentSince }) => [vote, delinquentSince])),
    mev: structuredClone(sources.mev),
  };
}
