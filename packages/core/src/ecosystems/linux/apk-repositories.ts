/**
 * The repositories of apk: `etc/apk/repositories` and `repositories.d/*.list`.
 *
 * ```
 * line    = "#" comment | "set" … | "default" … | [type] ["@" tag] url {component}
 * type    = "ndx" | "v2" | "v3"
 * url     = address of a repository | absolute path
 * ```
 * @see https://gitlab.alpinelinux.org/alpine/apk-tools/-/blob/master/doc/apk-repositories.5.scd
 */

import type { PackageRepository } from "../../model/package.ts";
import { trimEnd } from "../../model/trim-end.ts";
import { maxReleaseFileBytes } from "./assignments.ts";
import { type FileProblems, noProblems, noteProblem } from "./file-problems.ts";
import { lineText, nextLine, openLines } from "./lines.ts";
import { decodeText, isPlain, quoted } from "./text.ts";

/** The repositories in a file. */
export interface ApkRepositories {
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  readonly problems: FileProblems;
}

/**
 * Parses a list of repositories, one for each address or component. Repositories with a tag are left out: apk installs from them only
 * packages that are requested with the tag, so they say nothing about the release. Never throws.
 */
export function parseApkRepositories(bytes: Uint8Array): ApkRepositories {
  const addresses = new Set<string>();
  const problems = noProblems();
  if (bytes.length > maxReleaseFileBytes) {
    noteProblem(problems, 0, `expected at most ${maxReleaseFileBytes} bytes, found ${bytes.length}`);
    return { repositories: [], problems };
  }
  const cursor = openLines(decodeText(bytes));
  while (nextLine(cursor)) {
    const line = lineText(cursor).trim();
    for (const address of addressesOf(line)) {
      if (isAddress(address)) addresses.add(address);
      else noteProblem(problems, cursor.line, `expected the address of a repository, found ${quoted(line)}`);
    }
  }
  return { repositories: [...addresses].map(repositoryAt), problems };
}

function addressesOf(line: string): string[] {
  if (line === "" || line.startsWith("#")) return [];
  const words = line.split(/\s+/);
  if (words[0] === "set" || words[0] === "default") return [];
  if (words[0] === "ndx" || words[0] === "v2" || words[0] === "v3") words.shift();
  const [address = "", ...components] = words;
  if (address.startsWith("@")) return [];
  const plain = trimEnd(address, "/");
  return components.length === 0 ? [plain] : components.map((component) => `${plain}/${component}`);
}

function isAddress(text: string): boolean {
  return isPlain(text) && /^(?:https?:\/\/|ftp:\/\/|file:\/\/|\/)[!-~]+$/.test(text) && !text.includes("${");
}

/** The repository at an address. Its name is the last two parts of the address, `v3.20/main`. A path is not a URI. */
function repositoryAt(address: string): Omit<PackageRepository, "id"> {
  const name = address
    .split("/")
    .filter((part) => part !== "")
    .slice(-2)
    .join("/");
  return address.startsWith("/") ? { name } : { name, uri: address };
}
