import { describeLiars } from "./witnesses/cases.ts";

describeLiars("two witnesses, of which at times one lies", { from: 30_201, seeds: 200, panel: 2 });
