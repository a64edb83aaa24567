import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import "./shell/theme.css";
import "./shell/base.css";
import "./parts/parts.css";
import { App } from "./shell/App";
import { startTheme } from "./shell/theme";
import { askEarly, beginning } from "./wire/early";

const first = beginning(window.location.pathname);
if (first !== null) askEarly(first);
startTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
