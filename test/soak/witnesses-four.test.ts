import { describeLiars } from "./witnesses/cases.ts";

describeLiars("four witnesses, of which one lies", { from: 20_001, seeds: 300, panel: 4 });
