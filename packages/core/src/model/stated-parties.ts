import type { PackageDetails } from "./package-details.ts";

/** A person or an organization that a package names. */
export interface Party {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** Reads `Name <mail>`, `Name <https://…>`, a name or an address. Of several, separated by commas after an address, the first. */
export function partyOf(text: string): Party {
  const open = text.indexOf("<");
  const inner = open < 0 ? "" : text.slice(open + 1, text.indexOf(">", open));
  const name = text.slice(0, open).trim().replaceAll('"', "") || inner;
  if (isEmail(inner)) return { name, email: inner };
  const url = addressOf(inner);
  return url === undefined ? { name: text.trim() } : { name, url };
}

/** Reads all of `A <a@mail>, B <b@mail>`. A comma is part of a name if no address is before it: `Acme, Inc. <mail>`. */
export function partiesOf(text: string): readonly Party[] {
  const parts: string[] = [];
  let open = "";
  for (const part of text.split(/(?<=[,;])/)) {
    open += part;
    if (!/@|>\s*[,;]$/.test(part)) continue;
    parts.push(open);
    open = "";
  }
  return [...parts, open]
    .map((part) => part.trim().replace(/[,;]$/, ""))
    .filter(Boolean)
    .map(partyOf);
}

/**
 * Who is responsible for a package by its record: who distributes it, else who made it. NTIA's "supplier" is the entity that creates, defines and identifies
 * a component.
 */
export function supplierOf({ supplier, originator, authors = [] }: PackageDetails): Party | undefined {
  const text = supplier ?? originator ?? authors[0];
  return text === undefined ? undefined : partyOf(text);
}

function isEmail(text: string): boolean {
  const [local = "", domain = "", ...rest] = text.split("@", 3);
  return local !== "" && domain !== "" && rest.length === 0 && !/[\s<>,]/.test(text);
}

/**
 * What RFC 3986 allows in an address with a host: no other character, `%` only before two hex digits, one `#`. The host has a domain, as readers of SPDX want it: addresses of the
 * local machine are of no use to others. An address in brackets is left out.
 */
const address =
  /^(?:https?|git|ssh|svn|git\+https?|git\+ssh):\/\/(?:[\w.~!$&'()*+,;=:-]{1,100}@)?[a-z\d]+(?:[.-][a-z\d]+)*\.[a-z]{2}[a-z\d-]*(?::\d{1,5})?(?=$|[/?#])(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

/** An address of a page, for readers with a browser; undefined for that of a repository and for other text. */
export function pageOf(text: string | undefined): string | undefined {
  const found = addressOf(text);
  return found !== undefined && /^https?:/i.test(found) ? found : undefined;
}

const ofRepository = /^(?:git|ssh|svn|git\+\w+):|\.git(?:[/#?]|$)/i;
const archive =
  /\.(?:tar|tar\.\w{1,4}|t[bgx]z2?|zip|jar|gem|whl|crate|conda|deb|rpm)(?:[#?]|$)|\/(?:archive|releases|downloads?)(?:\/|$)/i;
const forges =
  /^https?:\/\/(?:[\w-]+\.){0,4}(?:github|gitlab|bitbucket|codeberg|gitea|git|svn|hg|cgit|anonscm|salsa|sr|pagure|code)\.[\w.-]+(?::\d+)?\/[^/]/i;

/** Whether an address is that of an archive, or of a folder with archives. */
export function isArchive(found: string): boolean {
  return archive.test(found);
}

/** Whether an address is known to be that of a repository of source code, and not of an archive or of a page about it. */
export function isRepository(found: string): boolean {
  return !archive.test(found) && (ofRepository.test(found) || forges.test(found));
}

/** An address that documents may have; undefined for other text, which a package may have in its place. */
export function addressOf(text: string | undefined): string | undefined {
  return text !== undefined && address.test(text) ? text : undefined;
}
