import { CodeIcon, GearIcon, HomeIcon, OrganizationIcon, PersonIcon } from "@primer/octicons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { imagePath, isWithin, namespacePath, type Place, placeOf, type Reference, repositoryPath } from "../places.ts";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { GlobalMessages } from "./global-messages.tsx";
import { useKeptFocus } from "./kept-focus.ts";
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

/**
 * The title of a page for tabs, bookmarks and screen readers: the subject first, then its namespace, the registry last.
 * @param registry the title of the registry; empty while it is not known
 */
export function pageTitle(place: Place, registry: string): string {
  return [...partsOf(place), registry].filter((part) => part !== "").join(" – ");
}

function partsOf(place: Place): readonly string[] {
  switch (place.kind) {
    case "home":
      return [];
    case "search":
      return [texts.search.title];
    case "account":
      return [texts.account.title];
    case "admin":
      return [texts.admin.title];
    case "explorer":
      return [texts.explorer.title];
    case "vulnerability":
      return [place.id];
    case "namespace":
      return [place.namespace];
    case "repository":
      return [place.repository, place.namespace];
    case "image":
      return [`${place.repository}${suffixOf(place.reference)}`, place.namespace];
    case "unknown":
      return [texts.shell.unknownTitle];
  }
}

function suffixOf(reference: Reference): string {
  return reference.kind === "tag" ? `:${reference.tag}` : `@${shortDigest(reference.digest)}`;
}

/** The largest number of entries in the rail. */
const maxEntries = 7;

/** The navigation: home page, the user's namespace and organizations, API, and for superusers the administration. */
function Rail() {
  const [path] = useLocation();
  const user = useCurrentUser().data;
  const own = user
    ? [
        { name: user.username, Icon: PersonIcon },
        ...(user.organizations ?? []).map(({ name }) => ({ name, Icon: OrganizationIcon })),
      ]
    : [];
  const entries = [
    { href: "/", text: texts.shell.home, Icon: HomeIcon },
    ...own.slice(0, maxEntries - 3).map(({ name, Icon }) => ({ href: namespacePath(name), text: name, Icon })),
    { href: "/explorer", text: texts.shell.explorer, Icon: CodeIcon },
    ...(user?.super_user || user?.global_readonly_super_user
      ? [{ href: "/admin", text: texts.admin.title, Icon: GearIcon }]
      : []),
  ];
  return (
    <nav className="rail" aria-label={texts.shell.places}>
      {entries.map(({ href, text, Icon }) => (
        <Link key={href} href={href} title={text} aria-current={isWithin(path, href) ? "page" : undefined}>
          <Icon /> <span>{text}</span>
        </Link>
      ))}
    </nav>
  );
}

interface Crumb {
  readonly href: string;
  readonly text: string;
}

/** Links from the namespace down to the current page. */
function Breadcrumbs() {
  const [path] = useLocation();
  const crumbs = crumbsOf(placeOf(path));
  if (crumbs.length === 0) return undefined;
  return (
    <nav aria-label={texts.shell.breadcrumbs}>
      <ol className="breadcrumbs">
        {crumbs.map(({ href, text }, index) => (
          <li key={href}>
            <Link href={href} aria-current={index === crumbs.length - 1 ? "page" : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function crumbsOf(place: Place): readonly Crumb[] {
  if (!("namespace" in place)) return [];
  const { namespace } = place;
  const crumbs = [{ href: namespacePath(namespace), text: namespace }];
  if (place.kind === "namespace") return crumbs;
  const { repository } = place;
  crumbs.push({ href: repositoryPath(namespace, repository), text: repository });
  if (place.kind === "repository") return crumbs;
  const { reference } = place;
  return [...crumbs, { href: imagePath(namespace, repository, reference), text: nameOf(reference) }];
}

function nameOf(reference: Reference): string {
  return reference.kind === "tag" ? reference.tag : shortDigest(reference.digest);
}
