import { againstBudget, toMegabytes } from "./measuring.ts";
import { PLANNED_EPOCHS } from "./planning-size.ts";
import { snapshotFastest } from "./second-snapshot.ts";
import { onStage, type SnapshotStage } from "./snapshot-stage.ts";

const TIMES_MAX = 2;
const SHORT_EPOCHS = PLANNED_EPOCHS / 10;

export async function bench(): Promise<string> {
  const short = await onStage({ epochs: SHORT_EPOCHS }, measure);
  const long = await onStage({ epochs: PLANNED_EPOCHS }, measure);
  const times = Math.round((long.seconds / short.seconds) * 100) / 100;
  return [
    `ten times the epochs take ${againstBudget(times, TIMES_MAX, "times")} as long`,
    `${SHORT_EPOCHS} epochs: ${toText(short)}`,
    `${PLANNED_EPOCHS} epochs: ${toText(long)}`,
  ].join("; ");
}

async function measure(stage: SnapshotStage) {
  const { seconds, peakMegabytes } = await snapshotFastest(stage);
  return { seconds, peakMegabytes, checkpointBytes: stage.state.checkpoint.bytes };
}

function toText({
  seconds,
  peakMegabytes,
  checkpointBytes,
}: Awaited<ReturnType<typeof measure>>): string {
  return `${seconds.toFixed(2)} s, peak ${Math.round(peakMegabytes)} MB, checkpoint of ${toMegabytes(checkpointBytes)} MB`;
}
