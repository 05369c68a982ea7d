import { ScanError } from "../../errors.ts";
import { normalizePath } from "../../layer/paths.ts";

/** A member in a table: its content, or the target of a link. */
export type TableEntry<Content extends object> =
  | { readonly kind: "content"; readonly content: Content }
  | { readonly kind: "hard-link" | "symbolic-link"; readonly linkName: string };

/** The members of an archive by normalized name. */
export interface MemberTable<Content extends object> {
  has(name: string): boolean;
  /**
   * The content of a member. Links inside the archive are followed.
   * @param what names it in messages
   * @throws ScanError `malformed_image` when there is no such member, or a link is dangling, circular or leads out of the archive
   */
  get(name: string, what: string): Content;
}

const maxLinks = 40;

/**
 * Makes a table from entries.
 * @param archive names the archive in messages
 */
export function memberTable<Content extends object>(
  entries: ReadonlyMap<string, TableEntry<Content>>,
  archive: string,
): MemberTable<Content> {
  return {
    has: (name) => entries.has(normalizePath(name) ?? ""),
    get: (name, what) => {
      const found = followLinks(entries, normalizePath(name));
      if (typeof found !== "string") return found;
      const member = JSON.stringify(name.slice(0, 200));
      throw new ScanError("malformed_image", `${archive}: expected ${what} in the member ${member}, ${found}`);
    },
  };
}

/** The content, or why there is none. */
function followLinks<Content extends object>(
  entries: ReadonlyMap<string, TableEntry<Content>>,
  name: string | undefined,
): Content | string {
  let at = name;
  for (let links = 0; links <= maxLinks; links++) {
    if (at === undefined) return links === 0 ? "which is outside of it" : "but a link leads out of it";
    const entry = entries.get(at);
    if (entry === undefined)
      return links === 0 ? "but there is none" : `but a link leads to ${JSON.stringify(at)}, which is not there`;
    if (entry.kind === "content") return entry.content;
    at = targetOf(at, entry);
  }
  return `but it is behind more than ${maxLinks} links`;
}

/** A hard link holds the name of a member; a symbolic link holds a path relative to its own folder. An absolute one would leave the archive. */
function targetOf(name: string, link: { readonly kind: string; readonly linkName: string }): string | undefined {
  if (link.kind === "hard-link") return normalizePath(link.linkName);
  if (link.linkName.startsWith("/")) return undefined;
  return normalizePath(`${name.slice(0, name.lastIndexOf("/") + 1)}${link.linkName}`);
}
