import { check as observe } from "../service/observing.ts";
import { finish, toOptions, type Flags } from "./command.ts";

export async function check(flags: Flags): Promise<void> {
  await finish(flags, observe(toOptions(flags)));
}
