import type { ComponentType } from "preact";
import { lazily } from "../parts/Failed.tsx";

/** One page of the site. */
interface Page {
  /** As the router writes it. */
  path: string;
  /** Of the document, and in the navigation. */
  title: string;
  /** Whether the navigation names it. */
  isNamed: boolean;
  /** Loaded when it is first gone to. */
  component: ComponentType;
}

/** Every page, in the order of the navigation. What no path fits is pages/not-found. */
export const PAGES: readonly Page[] = [
  { path: "/", title: "Now", isNamed: true, component: lazily(() => import("../pages/now/Now.tsx")) },
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
  { path: "/status", title: "Status", isNamed: true, component: lazily(() => import("../pages/status/Status.tsx")) },
  { path: "/api", title: "API", isNamed: true, component: lazily(() => import("../pages/api/Api.tsx")) },
];
