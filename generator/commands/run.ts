import { run as observe } from "../service/run.ts";
import { complain, finish, say, toOptions, type Flags } from "./command.ts";
import { toLine } from "./report-line.ts";

/** @param flags.for milliseconds; absent: until stopped */
export async function run(flags: Flags & { for?: number }): Promise<void> {
  const options = { ...toOptions(flags), forMilliseconds: flags.for ?? null, onError: complain };
  await finish(flags, observe({ ...options, onReport: (report) => say(toLine(report)) }));
}
