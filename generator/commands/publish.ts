import { publish } from "../service/publishing.ts";
import { finish, toOptions, type Flags } from "./command.ts";

/** `generate publish`: prints the report. */
export async function publishCommand(flags: Flags): Promise<void> {
  await finish(flags, publish(toOptions(flags)));
}
