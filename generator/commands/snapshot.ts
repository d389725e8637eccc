import { snapshot } from "../service/observing.ts";
import { finish, toObservingOptions, type Flags } from "./command.ts";

/** `generate snapshot`: prints the report. */
export async function snapshotCommand(flags: Flags): Promise<void> {
  await finish(flags, snapshot(toObservingOptions(flags)));
}
