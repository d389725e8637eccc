import type { ComponentType } from "preact";
import type { SitePath } from "../../generator/contract/site-pages.ts";
import { lazily } from "../parts/Failed.tsx";

interface Page {
  path: SitePath | "/validators/:votePubkey";
  title: string;
  isInNavigation: boolean;
  component: ComponentType;
}

/** Those of the navigation stand in its order. */
export const PAGES: readonly Page[] = [
  {
    path: "/",
    title: "Now",
    isInNavigation: true,
    component: lazily(() => import("../pages/now/Now.tsx")),
  },
  {
    path: "/validators",
    title: "Validators",
    isInNavigation: true,
    component: lazily(() => import("../pages/validators/Validators.tsx")),
  },
  {
    path: "/concentration",
    title: "Concentration",
    isInNavigation: true,
    component: lazily(() => import("../pages/concentration/Concentration.tsx")),
  },
  {
    path: "/validators/:votePubkey",
    title: "Validator",
    isInNavigation: false,
    component: lazily(() => import("../pages/validator/Validator.tsx")),
  },
  {
    path: "/watchlist",
    title: "Watchlist",
    isInNavigation: false,
    component: lazily(() => import("../pages/watchlist/Watchlist.tsx")),
  },
  {
    path: "/compare",
    title: "Compare",
    isInNavigation: false,
    component: lazily(() => import("../pages/compare/Compare.tsx")),
  },
  {
    path: "/wallet",
    title: "My stake",
    isInNavigation: true,
    component: lazily(() => import("../pages/wallet/Wallet.tsx")),
  },
  {
    path: "/alerts",
    title: "Alerts",
    isInNavigation: true,
    component: lazily(() => import("../pages/alerts/Alerts.tsx")),
  },
  {
    path: "/epochs",
    title: "Epochs",
    isInNavigation: true,
    component: lazily(() => import("../pages/epochs/Epochs.tsx")),
  },
  {
    path: "/how-we-know",
    title: "How we know",
    isInNavigation: false,
    component: lazily(() => import("../pages/how-we-know/HowWeKnow.tsx")),
  },
  {
    path: "/accused",
    title: "Accused wrongly?",
    isInNavigation: false,
    component: lazily(() => import("../pages/accused/Accused.tsx")),
  },
  {
    path: "/status",
    title: "Status",
    isInNavigation: false,
    component: lazily(() => import("../pages/status/Status.tsx")),
  },
  {
    path: "/glossary",
    title: "Glossary",
    isInNavigation: false,
    component: lazily(() => import("../pages/glossary/Glossary.tsx")),
  },
  {
    path: "/api",
    title: "API",
    isInNavigation: true,
    component: lazily(() => import("../pages/api/Api.tsx")),
  },
];
