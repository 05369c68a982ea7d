import type { PartsFinding } from "../../match/language-matcher.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { linkedPartsKey } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";

/** The package name of Go's standard library. */
export const standardLibrary = "stdlib";
/** The package name of Go's own command. */
export const toolchain = "toolchain";
/** The name of the package at the root of a module. */
const root = ".";

/** The name of a package within its module: `ssh` of `golang.org/x/crypto/ssh`. Packages of Go itself have their full path. */
export function partOfModule(module: string, path: string): string {
  if (path === module) return root;
  return path.startsWith(`${module}/`) ? path.slice(module.length + 1) : path;
}

/**
 * Whether a program has any of the packages that an advisory is about. Undefined for an advisory about the whole module.
 * @see https://go.dev/doc/security/vuln/database#schema
 */
export function findParts({ package: { name }, repositories }: IndexRecord, { imports = [] }: AdvisoryRule) {
  if (imports.length === 0) return undefined;
  const about = imports.map(({ path, symbols }) => (symbols.length === 0 ? path : `${path} (${listed(symbols)})`));
  const parts = repositories.find(({ key }) => key === linkedPartsKey)?.name?.split(" ");
  if (parts === undefined)
    return finding(
      "unknown",
      `the advisory is about ${listed(about)}; which of its packages the program has is not known`,
    );
  const linked = new Set(parts);
  const present = imports.filter(({ path }) => linked.has(partOfModule(name, path)));
  if (present.length === 0)
    return finding("absent", `the advisory is about ${listed(about)}; the program has no function of it`);
  return finding(
    "present",
    `the program has ${listed(present.map(({ path }) => path))}; the advisory is about ${listed(about)}`,
  );
}

function finding(kind: PartsFinding["kind"], detail: string): PartsFinding {
  return { kind, detail };
}

/** The first names, and the number of the others. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).join(", ");
  return names.length > maxListed ? `${shown} and ${names.length - maxListed} more` : shown;
}

const maxListed = 5;
