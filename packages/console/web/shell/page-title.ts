import type { Place, Reference } from "../places.ts";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

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
