import { expect, it } from "vitest";
import { agreeOnSchedule } from "../../generator/agree/schedule.ts";
import { SILENT, toPanel } from "../story/witnesses.ts";

type Schedule = [epoch: number, firstSlot: number, slotsInEpoch: number];

const TRUE: Schedule = [7, 700, 100];
const toWitnesses = (answers: (Schedule | "silent")[]) =>
  answers.map((one) => {
    const [witness] = toPanel(0, [one === "silent" ? SILENT : { list: [] }]).head.panel;
    if (one === "silent") return witness!;
    const [epoch, firstSlot, slotsInEpoch] = one;
    return { ...witness!, epoch, firstSlot, slotsInEpoch };
  });

it.each<[string, (Schedule | "silent")[], Schedule | null]>([
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
])("a panel agrees on the epoch: %s", (_, answers, expected) => {
  const agreed = agreeOnSchedule({ panel: toWitnesses(answers) });
  expect(agreed && [agreed.epoch, agreed.firstSlot, agreed.slotsInEpoch]).toEqual(expected);
});
