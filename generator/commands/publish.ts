import { publish } from "../service/publishing.ts";
import { finish, toOptions, type Flags } from "./command.ts";

export async function publishCommand(flags: Flags): Promise<void> {
  await finish(flags, publish(toOptions(flags)));
}
