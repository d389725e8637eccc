/** Three dotted parts, of which only the last may carry a pre-release name: `4.2.1`, `4.1.0-rc.1`, `0.505.20216`. */
const VERSION = /^(\d{1,5})\.(\d{1,5})\.(\d{1,10}(?:-[0-9A-Za-z.-]{1,32})?)$/;

/** Highest two bits of the minor number on the wire: what kind of pre-release it is (Agave 4.0 gossip). */
const PRE_RELEASES = ["", "rc", "beta", "alpha"];
const MINOR_BITS = 14;

/**
 * The software version of a node in one spelling, null when what gossip says is none: a malformed version must never
 * replace a good one. Text after the first space is a detail of some nodes. A node older than Agave 4.0 shows a
 * pre-release undecoded (`4.16386.2` is 4.2.0-rc.2): it is decoded here.
 */
export function toVersion(raw: string | null): string | null {
  if (raw === null) return null;
  const text = raw.slice(0, 128).split(" ", 1)[0] ?? "";
  const [, major, minor, patch] = VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return null;
  const preRelease = PRE_RELEASES[Number(minor) >> MINOR_BITS];
  if (preRelease === undefined) return null;
  if (preRelease === "") return text;
  return `${major}.${Number(minor) & (2 ** MINOR_BITS - 1)}.0-${preRelease}.${patch}`;
}
