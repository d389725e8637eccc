import { SEGMENT_CHANGES, toSegment } from "../../generator/contract/change.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toAnswer, type Answer } from "../answer.ts";
import { toAgeHeaders } from "../cache/cache.ts";
import type { Documents } from "../cache/documents.ts";
import { unreadable } from "../cache/store.ts";
import { ApiError } from "../errors.ts";
import { readWholeNumber, type Route } from "./parameters.ts";

/** Cuts what is asked for out of the newest changes and the full segments before them. */
export function changesRoute(documents: Documents): Route {
  return {
    operation: "changes",
    async answer({ network, query }) {
      const after = readWholeNumber(query, PARAMETERS.after);
      const limit = readWholeNumber(query, PARAMETERS.changesLimit);
      const newest = await documents.get(network, "newestChanges", {});
      if (newest.value === null)
        throw new ApiError(
          "not_found",
          `No log of changes has been published for ${network} yet.`,
          { headers: toAgeHeaders(newest) },
        );
      const { edition, head } = read(newest.value).meta;
      const last = Math.min(after + limit, head);
      const rows: string[] = [];
      for (let segment = toSegment(after + 1); segment <= toSegment(last); segment += 1) {
        const isFull = segment * SEGMENT_CHANGES <= head;
        const cached = isFull
          ? await getSegment(documents, { network, segment, edition })
          : newest.value;
        const first = (segment - 1) * SEGMENT_CHANGES;
        rows.push(...read(cached).rows.slice(Math.max(0, after - first), last - first));
      }
      const meta = JSON.stringify({
        network,
        edition,
        head,
        next: Math.min(after + rows.length, head),
      });
      const text = `{"data":[${rows.join(",")}],"meta":${meta}}`;
      const { modifiedAt } = newest.value;
      return { ...newest, value: toAnswer(text, OPERATIONS.changes.cache, { modifiedAt }) };
    },
  };
}

async function getSegment(
  documents: Documents,
  { network, segment, edition }: { network: Network; segment: number; edition: string },
): Promise<Answer> {
  const { value } = await documents.get(network, "changeSegment", { segment });
  if (value === null || read(value).meta.edition !== edition)
    throw unreadable(
      `segment ${segment} of the log of ${network} is not of edition ${edition}: it is being published`,
    );
  return value;
}

interface Read {
  /** Each as JSON. */
  rows: string[];
  meta: DocumentOf<"newestChanges">["meta"];
}

/** They go with the document. */
const known = new WeakMap<Answer, Read>();

/** Does not check what the generator wrote: newer versions may know more fields. */
function read(answer: Answer): Read {
  const found = known.get(answer);
  if (found !== undefined) return found;
  const { data, meta } = JSON.parse(answer.body.toString()) as DocumentOf<"newestChanges">;
  const made = { rows: data.map((change) => JSON.stringify(change)), meta };
  known.set(answer, made);
  return made;
}
