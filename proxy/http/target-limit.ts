import type { H3Event } from "h3";
import { TARGET_MAX_CHARACTERS, uriTooLong } from "./refusal.ts";

/** Middleware for where no server of ours stands before the app, as in a function: there refusal.ts sees no request. */
export function limitTarget({ url: { pathname, search } }: H3Event): void {
  if (pathname.length + search.length > TARGET_MAX_CHARACTERS) throw uriTooLong();
}
