import { useEffect, useRef } from "react";
import type { ReactNode } from "react";

import { domainNav } from "../domains";
import { Status } from "../parts/Status";
import { useReach, useVersion } from "../wire/reach";
import { KeyHelp } from "./KeyHelp";
import mark from "./mark.svg";
import { Link, usePath } from "./router";
import { ThemeSwitch } from "./ThemeSwitch";
import { TokenPrompt } from "./TokenPrompt";

const NAV = [
  { to: "/", label: "Runs" },
  { to: "/launch", label: "Launch" },
  { to: "/guard", label: "Guard" },
  { to: "/models", label: "Models" },
  { to: "/settings", label: "Settings" },
  { to: "/open", label: "Open a file" },
] as const;

export function Layout({ current, children }: { current: string; children: ReactNode }) {
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header current={current} />
      <Main>{children}</Main>
      <Footer />
      <KeyHelp />
      <TokenPrompt />
    </div>
  );
}

function Header({ current }: { current: string }) {
  return (
    <header className="shell-head">
      <Link to="/" className="brand">
        <img src={mark} alt="" />
        Mendel
      </Link>
      <nav className="shell-nav" aria-label="Pages">
        <ul>
          {[...NAV, ...domainNav()].map(({ to, label }) => (
            <li key={to}>
              <Link to={to} aria-current={to === current ? "page" : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="shell-tools">
        <Reach />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function Reach() {
  const reached = useReach();
  return (
    <span role="status" data-value="server">
      <Status of="server" value={reached ? "answers" : "silent"} />
    </span>
  );
}

/** After following a link, the focus and the scroll position go to the top of the new page. */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const path = usePath();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);
  return (
    <main id="main" className="shell-main" tabIndex={-1} ref={main}>
      {children}
    </main>
  );
}

function Footer() {
  const version = useVersion();
  return (
    <footer className="shell-foot">
      <span>
        Mendel{version === null ? "" : ` ${version}`}: everything shown here is computed from the log.
      </span>
      <span>
        Press <kbd>?</kbd> for keyboard shortcuts
      </span>
    </footer>
  );
}
