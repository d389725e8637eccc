import type { ComponentType } from "preact";
import type { SitePath } from "../../generator/contract/site-pages.ts";
import { lazily } from "../parts/Failed.tsx";

interface Page {
  path: SitePath | "/validators/:votePubkey";
  title: string;
  isNamed: boolean;
  component: ComponentType;
}

/** In the order of the navigation. */
export const PAGES: readonly Page[] = [
  {
    path: "/",
    title: "Now",
    isNamed: true,
    component: lazily(() => import("../pages/now/Now.tsx")),
  },
  {
    path: "/validators",
    title: "Validators",
    isNamed: true,
    component: lazily(() => import("../pages/validators/Validators.tsx")),
  },
  {
    path: "/concentration",
    title: "Concentration",
    isNamed: true,
    component: lazily(() => import("../pages/concentration/Concentration.tsx")),
  },
  {
    path: "/validators/:votePubkey",
    title: "Validator",
    isNamed: false,
    component: lazily(() => import("../pages/validator/Validator.tsx")),
  },
  {
    path: "/watchlist",
    title: "Watchlist",
    isNamed: false,
    component: lazily(() => import("../pages/watchlist/Watchlist.tsx")),
  },
  {
    path: "/compare",
    title: "Compare",
    isNamed: false,
    component: lazily(() => import("../pages/compare/Compare.tsx")),
  },
  {
    path: "/wallet",
    title: "My stake",
    isNamed: true,
    component: lazily(() => import("../pages/wallet/Wallet.tsx")),
  },
  {
    path: "/alerts",
    title: "Alerts",
    isNamed: true,
    component: lazily(() => import("../pages/alerts/Alerts.tsx")),
  },
  {
    path: "/epochs",
    title: "Epochs",
    isNamed: true,
    component: lazily(() => import("../pages/epochs/Epochs.tsx")),
  },
  {
    path: "/how-we-know",
    title: "How we know",
    isNamed: false,
    component: lazily(() => import("../pages/how-we-know/HowWeKnow.tsx")),
  },
  {
    path: "/accused",
    title: "Accused wrongly?",
    isNamed: false,
    component: lazily(() => import("../pages/accused/Accused.tsx")),
  },
  {
    path: "/status",
    title: "Status",
    isNamed: false,
    component: lazily(() => import("../pages/status/Status.tsx")),
  },
  {
    path: "/glossary",
    title: "Glossary",
    isNamed: false,
    component: lazily(() => import("../pages/glossary/Glossary.tsx")),
  },
  {
    path: "/api",
    title: "API",
    isNamed: true,
    component: lazily(() => import("../pages/api/Api.tsx")),
  },
];
