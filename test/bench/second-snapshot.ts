import { againstBudget } from "./measuring.ts";
import { PLANNED_EPOCHS } from "./planning-size.ts";
import { onStage, type SnapshotRun, type SnapshotStage } from "./snapshot-stage.ts";

const SECONDS_MAX = 6;
const MEGABYTES_MAX = 512;
/** The fastest counts: the machine may be busy. */
const RUNS = 3;

export function bench(): Promise<string> {
  return onStage({ epochs: PLANNED_EPOCHS }, async (stage) => {
    const run = await snapshotFastest(stage);
    const reading = await stage.readAnswers();
    const { report } = run;
    return [
      againstBudget(round(run.seconds), SECONDS_MAX, "s"),
      `the command itself ${round(report.durationMs / 1000)} s, ${round(run.processorSeconds)} s of processor`,
      `peak ${againstBudget(Math.round(run.peakMegabytes), MEGABYTES_MAX, "MB")}`,
      `${report.events} events, ${report.observations} observations folded, ${report.documents.written} of ${report.documents.rendered} documents and ${round(report.bytes / 1e6)} MB written`,
      `downloading and parsing the same answers alone ${round(reading.seconds)} s, peak ${Math.round(reading.peakMegabytes)} MB`,
      `the snapshot takes ${round(run.seconds / reading.seconds)} times as long`,
    ].join("; ");
  });
}

export async function snapshotFastest(stage: SnapshotStage): Promise<SnapshotRun> {
  const runs: SnapshotRun[] = [];
  for (let times = 0; times < RUNS; times += 1) runs.push(await stage.snapshot());
  const fastest = runs.reduce((best, run) => (run.seconds < best.seconds ? run : best));
  return { ...fastest, peakMegabytes: Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
