import { describeLiars } from "./witnesses/cases.ts";

describeLiars("two witnesses, of which at times one lies", { from: 30_001, seeds: 260, panel: 2 });
