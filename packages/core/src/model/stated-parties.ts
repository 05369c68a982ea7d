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

/** What RFC 3986 allows in an address with a host: no other character, `%` only before two hex digits, one `#`. An address in brackets is left out. */
const address =
  /^(?:https?|git|ssh|svn|git\+https?|git\+ssh):\/\/(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})+(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

/** An address that documents may have; undefined for other text, which a package may have in its place. */
export function addressOf(text: string | undefined): string | undefined {
  return text !== undefined && address.test(text) ? text : undefined;
}
