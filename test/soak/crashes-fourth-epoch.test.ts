import "./at-once.ts";
import { describeCrashes } from "./crashes.ts";

await describeCrashes(3, { deathsLeast: 100 });
