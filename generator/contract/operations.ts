import { EVENT_OPERATIONS } from "./event-operations.ts";
import { NETWORK_OPERATIONS } from "./network-operations.ts";
import type { OperationKind } from "./objects.ts";
import type { Operation } from "./operation.ts";
import { VALIDATOR_OPERATIONS } from "./validator-operations.ts";

type OperationKey = OperationKind | ("changes" | "epoch" | "search" | "wallet" | "openapi");

/** Every operation. A kind of object without one does not compile. */
export const OPERATIONS = {
  ...VALIDATOR_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...NETWORK_OPERATIONS,
} as const satisfies Record<OperationKey, Operation>;
