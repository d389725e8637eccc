import { CLIENTS } from "../contract/clients.ts";

const CLIENT_ID_MAX = 65_535;

const IDS_BY_NAME = new Map(CLIENTS.map(({ id, name }) => [toComparable(name), id]));

/**
 * The number of the registry behind a `clientId` of getClusterNodes. The answering node writes a name from its own table,
 * or `Unknown(N)` for a number it does not know, so that one node reads differently on two endpoints; some endpoints send
 * the number itself. Numbers outside the registry are kept. null: absent, or unreadable.
 */
export function toClientId(raw: string | number | null): number | null {
  if (raw === null) return null;
  if (typeof raw === "number") return isClientId(raw) ? raw : null;
  const number = /^(?:Unknown\((\d+)\)|(\d+))$/.exec(raw);
  if (number === null) return IDS_BY_NAME.get(toComparable(raw)) ?? null;
  const id = Number(number[1] ?? number[2]);
  return isClientId(id) ? id : null;
}

/** Spellings differ by case and spaces only: «Agave Bam» and «AgaveBam», «FireBAM» and «FireBam». */
function toComparable(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function isClientId(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= CLIENT_ID_MAX;
}
