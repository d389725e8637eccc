import { EVENT_OPERATIONS } from "./event-operations.ts";
import { EXPORT_OPERATIONS } from "./export-operations.ts";
import { NETWORK_OPERATIONS } from "./network-operations.ts";
import type { OperationKind } from "./objects.ts";
import type { Operation } from "./operation.ts";
import { VALIDATOR_OPERATIONS } from "./validator-operations.ts";

type OperationKey = OperationKind | ("changes" | "epoch" | "search" | "wallet" | "openapi");

/**
 * Every operation of the API. It does not compile while an object with an operation has none here.
 */
export const OPERATIONS = {
  ...VALIDATOR_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...NETWORK_OPERATIONS,
} as const satisfies Record<OperationKey, Operation>;
