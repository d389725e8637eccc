import { openFileStore } from "../../generator/store/files.ts";
import { listCheckpoints, loadCheckpoint } from "../../generator/journal/checkpoints.ts";
import { FOLD_VERSION } from "../../generator/ledger/ledger.ts";
import { againstBudget } from "./measuring.ts";
import { PLANNED_CLUSTER, PLANNED_EPOCHS } from "./planning-size.ts";
import { snapshotFastest } from "./second-snapshot.ts";
import { onStage, type SnapshotStage } from "./snapshot-stage.ts";

const TIMES_MAX = 2;
const SHORT_EPOCHS = PLANNED_EPOCHS / 10;

export async function benchHistoryLength(): Promise<string> {
  const short = await onStage({ epochs: SHORT_EPOCHS }, measure);
  const long = await onStage({ epochs: PLANNED_EPOCHS }, measure);
  const times = Math.round((long.seconds / short.seconds) * 100) / 100;
  return [
    `ten times the epochs take ${againstBudget(times, TIMES_MAX, "times")} as long`,
    `${SHORT_EPOCHS} epochs: ${toText(short)}`,
    `${PLANNED_EPOCHS} epochs: ${toText(long)}`,
  ].join("; ");
}

interface Measured {
  seconds: number;
  peakMegabytes: number;
  checkpointBytes: number;
  loadSeconds: number;
}

async function measure(stage: SnapshotStage): Promise<Measured> {
  const { seconds, peakMegabytes } = await snapshotFastest(stage);
  const loadSeconds = await timeLoading(stage);
  return { seconds, peakMegabytes, checkpointBytes: stage.state.checkpoint.bytes, loadSeconds };
}

async function timeLoading({ state }: SnapshotStage): Promise<number> {
  const place = { store: openFileStore(state.directories.state), network: PLANNED_CLUSTER.network, series: 1 };
  const heads = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay: null });
  const head = heads.find(({ key }) => key === state.checkpoint.key);
  if (head === undefined) throw new Error("the prepared checkpoint is not there");
  const beganAt = performance.now();
  const loaded = await loadCheckpoint(place, { head, foldVersion: FOLD_VERSION });
  if ("unreadable" in loaded) throw new Error(`the prepared checkpoint cannot be read: ${loaded.unreadable}`);
  return (performance.now() - beganAt) / 1000;
}

function toText({ seconds, peakMegabytes, checkpointBytes, loadSeconds }: Measured): string {
  const [took, megabytes, loaded] = [seconds, checkpointBytes / 1e6, loadSeconds].map((value) => value.toFixed(2));
  return `${took} s, peak ${Math.round(peakMegabytes)} MB, checkpoint of ${megabytes} MB loads in ${loaded} s`;
}
