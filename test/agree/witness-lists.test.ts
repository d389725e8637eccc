import { expect, it } from "vitest";
import { readLists } from "../../generator/agree/witness-lists.ts";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { checkBy } from "../story/observations.ts";
import { all, endpointOf, SILENT, type Witness } from "../story/witnesses.ts";

const MINUTE = 40;
const SLOT = slotAt(MINUTE);
const HERE: Witness = { list: [] };
const WITHOUT_LIST: Witness = { list: null };
const at = (ahead: number): Witness => ({ list: [], ahead });
const inEpoch = (epoch: number | null): Witness => ({ list: [], epoch });

const read = (witnesses: Witness[], clusterSlot: number | null = null) =>
  readLists(checkBy(MINUTE, witnesses), clusterSlot);

it.each<[string, Witness[], number | null, string]>([
  ["150 slots from the cluster", [at(150)], SLOT, "0"],
  ["not 151 slots from it", [at(151)], SLOT, "none"],
  ["not 151 slots behind it", [at(-151)], SLOT, "none"],
  ["wherever it is, where it is alone and nobody knows the cluster's slot", [at(9_000)], null, "0"],
  ["150 slots from the median", [HERE, HERE, at(150)], null, "0 1 2"],
  ["not 151 slots from the median", [HERE, HERE, at(151)], null, "0 1"],
  ["not for silent where it is out of place", [HERE, at(151)], SLOT, "0"],
  ["not where it lies about the cluster's slot first", [at(9_000), HERE, HERE], null, "1 2"],
  ["not in another epoch than the majority", [HERE, HERE, inEpoch(FIRST_EPOCH - 1)], null, "0 1"],
  ["in the majority's epoch, not the entry's", [HERE, inEpoch(9), inEpoch(9)], null, "1 2"],
  ["not of two in different epochs", [HERE, inEpoch(FIRST_EPOCH + 1)], null, "none"],
  ["not of three in different epochs", [1, 2, 3].map(inEpoch), null, "none"],
  ["not without an epoch", [HERE, HERE, inEpoch(null)], null, "0 1"],
  ["alone of two, where the other is silent", [HERE, SILENT], null, "0, alone"],
  [
    "alone of two, where the other gives no list of the same epoch",
    [HERE, WITHOUT_LIST],
    null,
    "0, alone",
  ],
  [
    "alone of two, where the other gives no list of another",
    [HERE, { list: null, epoch: 1 }],
    null,
    "0, alone",
  ],
  ["not alone of three", [HERE, SILENT, SILENT], null, "0"],
])("a witness's list counts %s", (_, witnesses, clusterSlot, counted) => {
  const { lists, isAlone, size } = read(witnesses, clusterSlot);
  const positions = lists.map(({ endpoint }) =>
    witnesses.findIndex((_, witness) => endpointOf(witness) === endpoint),
  );
  expect(`${positions.join(" ") || "none"}${isAlone ? ", alone" : ""}`).toBe(counted);
  expect(size).toBe(isAlone ? 1 : witnesses.length);
});

const ONE = "http://witness-1.example";

it.each<[string, Witness[], string | null]>([
  ["one of two that does not answer", [HERE, SILENT], ONE],
  ["one of two that gives no list", [HERE, WITHOUT_LIST], ONE],
  ["none of two that answer", all(2, HERE), null],
  ["none of two of which one is elsewhere", [HERE, at(151)], null],
  ["none of two of which one is in another epoch", [HERE, inEpoch(1)], null],
  ["none of three", [HERE, SILENT, HERE], null],
])("silent is %s", (_, witnesses, silent) => {
  expect(read(witnesses).silent).toBe(silent);
});
