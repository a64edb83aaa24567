/** The pages by path. Every page is a separate chunk. */

import { lazily } from "../parts/lazily";
import type { ReactNode } from "react";

import { domainRoutes } from "../domains";
import type { Params } from "./router";

const RunsPage = lazily(() => import("../runs/RunsPage"));
const LaunchPage = lazily(() => import("../runs/LaunchPage"));
const ComparePage = lazily(() => import("../runs/ComparePage"));
const RunPage = lazily(() => import("../run/RunPage"));
const FinalPage = lazily(() => import("../final/FinalPage"));
const GuardPage = lazily(() => import("../guard/GuardPage"));
const GuardReportPage = lazily(() => import("../guard/GuardReportPage"));
const ModelsPage = lazily(() => import("../models/ModelsPage"));
const SettingsPage = lazily(() => import("../settings/SettingsPage"));
const OpenPage = lazily(() => import("../files/OpenPage"));

export interface Route {
  readonly pattern: string;
  readonly title: string;
  /** The current entry of the navigation while the page is shown. */
  readonly nav: string;
  readonly page: (params: Params) => ReactNode;
  /** Routes of one group show the same page: navigating between them keeps its state. */
  readonly group?: string;
}

const named = (params: Params, name: string): string => params[name] ?? "";

const run = (params: Params, replay: boolean) => (
  <RunPage key={named(params, "id")} runId={named(params, "id")} file={params.file ?? null} replay={replay} />
);
const final = (params: Params) => (
  <FinalPage key={named(params, "id")} runId={named(params, "id")} file={params.file ?? null} />
);

const ROUTES: readonly Route[] = [
  { pattern: "/", title: "Runs", nav: "/", page: () => <RunsPage /> },
  { pattern: "/runs", title: "Runs", nav: "/", page: () => <RunsPage /> },
  { pattern: "/launch", title: "Launch", nav: "/launch", page: () => <LaunchPage /> },
  { pattern: "/compare", title: "Compare runs", nav: "/", page: () => <ComparePage /> },
  { pattern: "/runs/:id", title: "Run", nav: "/", page: (params) => run(params, false), group: "run" },
  { pattern: "/runs/:id/replay", title: "Replay", nav: "/", page: (params) => run(params, true), group: "run" },
  { pattern: "/runs/:id/final", title: "Final proof", nav: "/", page: final },
  { pattern: "/guard", title: "Guard", nav: "/guard", page: () => <GuardPage /> },
  {
    pattern: "/guard/:report",
    title: "Guard report",
    nav: "/guard",
    page: (params) => <GuardReportPage reportId={named(params, "report")} />,
  },
  { pattern: "/models", title: "Models", nav: "/models", page: () => <ModelsPage /> },
  { pattern: "/settings", title: "Settings", nav: "/settings", page: () => <SettingsPage /> },
  { pattern: "/open", title: "Open a file", nav: "/open", page: () => <OpenPage /> },
  { pattern: "/files/:file/runs/:id", title: "Run from a file", nav: "/open", page: (params) => run(params, true), group: "run" },
  { pattern: "/files/:file/runs/:id/replay", title: "Run from a file", nav: "/open", page: (params) => run(params, true), group: "run" },
  { pattern: "/files/:file/runs/:id/final", title: "Final proof", nav: "/open", page: final },
];

/** The pages of Mendel, then those of domains. */
export function routes(): readonly Route[] {
  return [...ROUTES, ...domainRoutes().map(routeOf)];
}

function routeOf({ path, title, nav, Page }: ReturnType<typeof domainRoutes>[number]): Route {
  return { pattern: path, title, nav: nav === undefined ? "" : path, page: (params) => <Page params={params} /> };
}
