import { describeApi } from "./_setup.ts";
import { describeEndpoints } from "./endpoints.ts";
import { describeEvents } from "./events.ts";
import { describeNetwork } from "./network.ts";
import { describePublished } from "./published.ts";
import { describeValidators } from "./validators.ts";

// The API over the documents of three simulated clusters, which are played once; the files beside this one say what it must
// answer.

describeApi((api) => {
  describeEndpoints(api);
  describePublished(api);
  describeValidators(api);
  describeEvents(api);
  describeNetwork(api);
});
