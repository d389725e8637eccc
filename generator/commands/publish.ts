import { publish as publishLedgers } from "../service/publishing.ts";
import { finish, toOptions, type Flags } from "./command.ts";

export async function publish(flags: Flags): Promise<void> {
  await finish(flags, publishLedgers(toOptions(flags)));
}
