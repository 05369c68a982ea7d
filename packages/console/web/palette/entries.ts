import type { ResultOf } from "../api/operation.ts";
import {
  isVulnerabilityId,
  namespacePath,
  type Place,
  repositoryPath,
  searchPath,
  vulnerabilityPath,
} from "../places.ts";
import { nameOf, pathOf } from "../search/found-names.ts";
import { texts } from "../texts/texts.ts";

const words = texts.palette;

/** An entry of the palette. */
export interface Entry {
  /** Unique among the entries. */
  readonly key: string;
  readonly group: keyof typeof words.groups;
  readonly text: string;
  /** An address of the console, or the action that signs in or out. */
  readonly leads: { readonly to: string } | "sign-out" | "sign-in";
}

/** The input of {@link entriesOf}. */
export interface PaletteContext {
  /** What was typed. */
  readonly text: string;
  /** Absent for anonymous visitors. */
  readonly user?: PaletteUser | undefined;
  /** The page that is open, and its path. */
  readonly place: Place;
  readonly path: string;
  /** The results of the registry's search for the text. */
  readonly found: ResultOf<"GET /find/all">["results"];
}

interface PaletteUser {
  readonly username: string;
  readonly isSuperuser: boolean;
  readonly organizations: readonly string[];
}

/** The entries that contain every typed word, ignoring case; then the results of the registry, and last a link to the search page. */
export function entriesOf(context: PaletteContext): readonly Entry[] {
  const text = context.text.trim();
  const parts = text.toLowerCase().split(/\s+/);
  const fixed = [...here(context), ...places(context), ...actions(context)];
  const matching = fixed.filter((entry) => parts.every((part) => entry.text.toLowerCase().includes(part)));
  if (text === "") return matching;
  const vulnerability = isVulnerabilityId(text)
    ? [go("found", texts.vulnerability.look(text.toUpperCase()), vulnerabilityPath(text))]
    : [];
  const found = context.found.map((result) => go("found", nameOf(result), pathOf(result)));
  return [...matching, ...vulnerability, ...found, go("found", words.search(text), searchPath(text))];
}

function go(group: Entry["group"], text: string, to: string): Entry {
  return { key: `${group} ${text} ${to}`, group, text, leads: { to } };
}

/** The views of the repository or image that is open. */
function here({ place, path }: PaletteContext): readonly Entry[] {
  if (place.kind === "image") {
    const own = (["packages", "layers", "compare"] as const).map((view) =>
      go("here", words[view], `${path}?view=${view}`),
    );
    return [...own, go("here", words.tags, repositoryPath(place.namespace, place.repository))];
  }
  if (place.kind !== "repository") return [];
  return (["history", "suppressed"] as const).map((view) => go("here", words[view], `${path}?view=${view}`));
}

function places({ user }: PaletteContext): readonly Entry[] {
  const own = user === undefined ? [] : [user.username, ...user.organizations];
  return [
    go("places", texts.shell.home, "/"),
    ...own.flatMap((name) => [
      go("places", name, namespacePath(name)),
      ...(["security", "robots", "logs"] as const).map((view) =>
        go("places", namesOfViews[view](name), `${namespacePath(name)}?view=${view}`),
      ),
    ]),
    ...(user === undefined ? [] : [go("places", words.account, "/account")]),
    go("places", words.explorer, "/explorer"),
    ...(user?.isSuperuser ? [go("places", words.admin, "/admin")] : []),
  ];
}

const namesOfViews = { security: words.securityOf, robots: words.robotsOf, logs: words.logOf };

function actions({ user }: PaletteContext): readonly Entry[] {
  if (user === undefined) return [{ key: "sign-in", group: "actions", text: words.signIn, leads: "sign-in" }];
  return [
    go("actions", words.newToken, "/account"),
    go("actions", words.newOrganization, "/account"),
    { key: "sign-out", group: "actions", text: words.signOut, leads: "sign-out" },
  ];
}
