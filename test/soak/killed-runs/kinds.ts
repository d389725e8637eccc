import type { StoreRequest } from "./recording-proxy.ts";

/** What a request is for. */
export const KINDS = [
  "journal entry",
  "document",
  "manifest",
  "lease put",
  "checkpoint",
  "index",
  "mark",
  "lease delete",
  "pack",
  "status",
  "list",
] as const;

export type Kind = (typeof KINDS)[number];

/** Of a request; null: it reads one object, or writes what is written only once. */
export function kindOf({ method, path, isListing }: Pick<StoreRequest, "method" | "path" | "isListing">): Kind | null {
  if (isListing) return "list";
  if (method === "DELETE") return path.includes("/state/lease/") ? "lease delete" : null;
  if (method !== "PUT") return null;
  if (path.endsWith("/status.json")) return "status";
  if (path.endsWith("/index.json")) return "index";
  if (path.includes("/public/")) return "document";
  const folder = /\/state\/([^/]+)\//.exec(path)?.[1] ?? "";
  if (folder === "journal") return path.includes("/pack-") ? "pack" : "journal entry";
  return FOLDERS[folder] ?? null;
}

const FOLDERS: Record<string, Kind> = {
  backdated: "mark",
  checkpoints: "checkpoint",
  lease: "lease put",
  manifest: "manifest",
};

/** What a process was doing, by its requests to the stores until then. */
export function tellActivity(requests: readonly StoreRequest[]): string {
  const underWay = requests.filter(({ phase }) => phase !== "answered");
  const write = underWay.find(({ writeOrdinal }) => writeOrdinal !== null);
  if (write !== undefined) return kindOf(write) ?? "other write";
  if (underWay.some(({ isListing }) => isListing)) return "list";
  if (underWay.length > 0) return "reading an object";
  if (requests.length === 0) return "starting";
  const isPublished = requests.slice(-3).some((request) => kindOf(request) === "status");
  return isPublished ? "waiting for its minute" : "observing, folding or rendering";
}
