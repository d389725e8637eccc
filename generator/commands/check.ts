import { check } from "../service/observing.ts";
import { finish, toObservingOptions, type Flags } from "./command.ts";

/** `generate check`: prints the report. */
export async function checkCommand(flags: Flags): Promise<void> {
  await finish(flags, check(toObservingOptions(flags)));
}
