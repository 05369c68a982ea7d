import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useOperation } from "../api/use-operation.ts";
import { placeOf } from "../places.ts";
import { texts } from "../texts/texts.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { useKeptFocus } from "./kept-focus.ts";
import { pageTitle } from "./page-title.ts";
import { Rail } from "./rail.tsx";
import { SearchBox } from "./search-box.tsx";
import { useUnsavedInput } from "./unsaved-input.ts";
import { UserMenu } from "./user-menu.tsx";

/** The frame of every page: the registry's name, search, user menu, navigation, messages and breadcrumbs. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { data } = useRegistryConfig();
  const title = data?.config.REGISTRY_TITLE ?? "";
  useUnsavedInput();
  const [path] = useLocation();
  const ofPage = pageTitle(placeOf(path), title);
  useEffect(() => {
    if (ofPage !== "") document.title = ofPage;
  }, [ofPage]);
  useFocusOnPage(path);
  useKeptFocus();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.shell.skip}
      </a>
      <header className="bar">
        <Link className="brand" href="/">
          <Mark /> {title}
        </Link>
        <SearchBox />
        <UserMenu />
      </header>
      <Rail />
      <main id="content" tabIndex={-1}>
        {data?.registry_state === "readonly" && <p className="notice">{texts.shell.readOnly}</p>}
        <GlobalMessages />
        <Breadcrumbs />
        {children}
      </main>
    </div>
  );
}

/** Moves the focus to the content of a new page, if the focused element was on the page before. */
function useFocusOnPage(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (document.activeElement === document.body) document.getElementById("content")?.focus({ preventScroll: true });
  }, [path]);
}

/** The logo of the program: a ship's load line. `design/icon.svg` is the same for browser tabs. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
      <circle cx="16" cy="16" r="11" />
      <path d="M2 16h28" />
    </svg>
  );
}

/** Messages of the operators to all users. */
function GlobalMessages() {
  const { data } = useOperation("GET /messages", { query: {} }, { staleTime: 300_000 });
  return data?.messages.map(({ uuid, content, severity }) => (
    <p key={uuid} className={severity === "error" ? "failure" : "notice"}>
      {content}
    </p>
  ));
}
