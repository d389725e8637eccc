import { expect, it } from "vitest";
import { agreeOnSchedule } from "../../generator/agree/schedule.ts";
import { toListing, toSilentWitness } from "../ledger/story.ts";

type Said = [epoch: number, firstSlot: number, slotsInEpoch: number];

const TRUE: Said = [7, 700, 100];
const toPanel = (said: (Said | "silent")[]) =>
  said.map((one, witness) => {
    const endpoint = `https://witness-${witness}.example#${witness}`;
    if (one === "silent") return toSilentWitness(endpoint);
    const [epoch, firstSlot, slotsInEpoch] = one;
    return { ...toListing(endpoint, { slot: firstSlot + 5, epoch }), firstSlot, slotsInEpoch };
  });

it.each<[string, (Said | "silent")[], Said | null]>([
  ["what its only witness tells", [TRUE], TRUE],
  ["what two tell", [TRUE, TRUE], TRUE],
  ["nothing that one of two tells", [TRUE, "silent"], null],
  ["what two of three tell, one in another epoch", [TRUE, [8, 800, 100], TRUE], TRUE],
  ["what two of three tell, the first with another first slot", [[7, 681, 100], TRUE, TRUE], TRUE],
  ["what two of three tell, one with another length", [TRUE, TRUE, [7, 700, 99]], TRUE],
  ["what two of three tell, one silent", ["silent", TRUE, TRUE], TRUE],
  ["nothing by one of three", ["silent", TRUE, "silent"], null],
  ["nothing of three that differ", [TRUE, [7, 681, 100], [8, 800, 100]], null],
  ["nothing of four that are two and two", [TRUE, TRUE, [8, 800, 100], [8, 800, 100]], null],
])("a panel agrees on the epoch: %s", (_, said, expected) => {
  const agreed = agreeOnSchedule({ panel: toPanel(said) });
  expect(agreed && [agreed.epoch, agreed.firstSlot, agreed.slotsInEpoch]).toEqual(expected);
});
