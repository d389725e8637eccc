import type { Validator } from "../../generator/contract/validator.ts";

/** A validator of the list, told by what matters to a test. */
export function toValidator(told: Partial<Validator> & Pick<Validator, "rank">): Validator {
  const none = { lamports: "0", sol: 0 };
  return {
    votePubkey: `vote ${told.rank}`,
    identityPubkey: null,
    name: null,
    iconUrl: null,
    website: null,
    version: null,
    clientType: null,
    clientId: null,
    client: null,
    commission: null,
    activeStake: none,
    activatingStake: none,
    deactivatingStake: none,
    stakePercent: 0,
    stakeAccountCount: 0,
    delinquent: false,
    delinquentSince: null,
    mevVendorEnabled: false,
    batchVendorEnabled: false,
    firstSeenEpoch: null,
    updatedAt: null,
    location: null,
    inValidatorSet: true,
    stakeAccountsAsOf: null,
    ...told,
  };
}
