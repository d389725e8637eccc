import { z } from "zod";
import { stakeSchema } from "./values.ts";

// What an epoch's staking rewards are computed from, in costs and in the list of epochs.

/** `validator` of getInflationRate. */
export const inflationRateSchema = z
  .number()
  .min(0)
  .max(1)
  .meta({
    description:
      "Share of the supply that stakers receive in a year, from 0 to 1 (`validator` of " +
      "getInflationRate).",
  });

/** `total` of getSupply. */
export const supplySchema = stakeSchema.meta({
  description: "Total supply of SOL (`total` of getSupply).",
});

/** Epochs in a year, as the runtime counts. */
export const epochsPerYearSchema = z
  .number()
  .positive()
  .meta({
    description:
      "Epochs in a year of 365.242199 days, as the runtime counts: with the configured " +
      "slot time (SIMD-0525), not the measured one.",
  });
