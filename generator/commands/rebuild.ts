import { toDifferenceLine } from "../publish/compare.ts";
import { rebuild } from "../service/rebuild.ts";
import { toCounted } from "../service/report.ts";
import { fail, finish, say, logProgress, toOptions, type Flags } from "./command.ts";

/** `generate rebuild`: exits with 1 if it stopped early or found differences. */
export async function rebuildCommand(
  flags: Flags & { verify: boolean; prune: boolean; fromStart: boolean },
): Promise<void> {
  const { verify, prune, fromStart } = flags;
  const work = rebuild({
    ...toOptions(flags),
    verify,
    prune,
    fromStart,
    onProgress: logProgress,
    onDifference: (difference) => say(toDifferenceLine(difference), "warn"),
  });
  const { rebuild: counts, differences } = await finish(flags, work);
  const isStopped = counts.stopped !== null;
  if (verify && !isStopped) say(`${toCounted(differences, "difference")} with what is published`);
  if (isStopped || differences > 0) fail();
}
