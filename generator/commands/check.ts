import { check } from "../service/observing.ts";
import { finish, toOptions, type Flags } from "./command.ts";

/** `generate check`: prints the report. */
export async function checkCommand(flags: Flags): Promise<void> {
  await finish(flags, check(toOptions(flags)));
}
