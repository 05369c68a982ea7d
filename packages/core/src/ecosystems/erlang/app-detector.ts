/**
 * The resource file of an Erlang application, of which these members are read:
 *
 * ```
 * resource = "{" "application" "," name "," "[" {member} "]" "}" "."      "%" begins a comment
 * member   = "{" ("vsn" | "description") "," string "}" | "{" ("licenses" | "maintainers") "," "[" strings "]" "}"
 *          | "{" ("applications" | "included_applications" | "optional_applications") "," "[" names "]" "}"
 *          | "{" "links" "," "[" {"{" string "," string "}"} "]" "}"
 * ```
 * @see https://www.erlang.org/doc/apps/kernel/app.html
 */

import { contentOf, wholeOf } from "../../bytes/byte-parts.ts";
import { dependenciesByName } from "../../index/named-dependencies.ts";
import { parentOf } from "../../layer/paths.ts";
import { isTestData } from "../../layer/test-data.ts";
import type { PackageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { ownText } from "../linux/text.ts";

const place = /(?:^|\/)ebin\/[^/]+\.app$/;
/** The limit for a resource file, which lists the modules of one application. */
const maxBytes = 4 * 1024 ** 2;

/**
 * Finds installed applications of Erlang and Elixir by their resource files.
 * @param wantsName selects applications by name, which is the name of the file
 */
export function appDetector(name: string, wantsName: (name: string) => boolean): FileDetector {
  return {
    name,
    revision: 2,
    names: { endings: [".app"] },
    wants: ({ path }: FileEntry) => path.endsWith(".app") && place.test(path) && wantsName(nameOf(path)),
    *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
      const text = decoder.decode(wholeOf(file, maxBytes)).replace(/^[ \t]*%.*$/gm, "");
      const found = parseApp(text);
      if (found === undefined) yield unreadable(file.path, "expected an Erlang application, found none");
      else yield provenPackage(file, { ...found, details: details ? appDetails(text) : undefined });
    },
  };
}

/**
 * Opens archives of applications: `.ez`, in which plug-ins of RabbitMQ and of Mix are shipped, and escripts, which are programs.
 * @see https://www.erlang.org/doc/apps/kernel/code.html#module-loading-of-code-from-archive-files
 */
export const archiveDetector: FileDetector = {
  name: "erlang-archive",
  revision: 1,
  opens: { packages: "erlang", isArchive: (file) => isZip(file) && !isTestData(file.path) },
  programs: "escript",
  names: { endings: [".ez"] },
  wants: ({ path }: FileEntry) => path.endsWith(".ez"),
  *detect() {},
};

/** Whether a file begins like a zip archive, or like a script before one. */
function isZip(file: LayerFile): boolean {
  const [first, second] = contentOf(file).subarray(0, 2);
  return (first === 0x50 && second === 0x4b) || (first === 0x23 && second === 0x21);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".app".length);
}

/** An application. */
interface ErlangApp {
  readonly name: string;
  /** Empty if the file does not have it as a plain text. */
  readonly version: string;
}

const head = /^\s*\{\s*application\s*,\s*'?([\w@]+)'?\s*,/;
const vsn = /\{\s*vsn\s*,\s*"([^"]*)"/;
const decoder = new TextDecoder();

/** Parses a resource file; undefined if it is not one. */
function parseApp(text: string): ErlangApp | undefined {
  const [, name] = head.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, version = ""] = vsn.exec(text) ?? [];
  return { name: ownText(name), version: ownText(version) };
}

/** Longer lists are not read. */
const maxList = 20_000;
const list =
  /\{\s{0,9}(applications|included_applications|optional_applications|licenses|maintainers|links)\s{0,9},\s{0,9}\[/g;
const item = /"([^"]*)"|'([^']*)'|\b([a-z]\w*)/g;
const description = /\{\s{0,9}description\s{0,9},\s{0,9}"((?:[^"\\]|\\.){0,2000})"/;

/** What a resource file says about its application. Which of several licences apply is not stated. */
function appDetails(text: string): PackageDetails {
  const found = new Map<string, readonly string[]>();
  for (const { 0: start, 1: name = "", index } of text.matchAll(list)) {
    const from = index + start.length;
    found.set(
      name,
      itemsIn(
        text
          .slice(from, from + maxList)
          .split("]", 1)
          .join(""),
      ),
    );
  }
  const of = (name: string) => found.get(name) ?? [];
  const optional = of("optional_applications");
  const needed = [...of("applications"), ...of("included_applications")].filter((each) => !optional.includes(each));
  const links = of("links").filter((each) => /^https?:/.test(each));
  return {
    licenses: of("licenses").map((each) => ({ text: each })),
    authors: of("maintainers"),
    description: ownText(description.exec(text)?.[1] ?? ""),
    homepage: links[0],
    requires: found.has("applications") ? needed : undefined,
    recommends: optional,
  };
}

function itemsIn(items: string): readonly string[] {
  return Array.from(items.matchAll(item), ([, text, quoted, plain]) => ownText(text ?? quoted ?? plain ?? ""));
}

/** Finds which applications need which, also those of Erlang and Elixir themselves: in the same folder of applications, and, unless that is a whole release, where those are. */
export const applicationDependencies: DependencyResolver = (_, image) => {
  const all = ["erlang", "otp"].flatMap(image.packagesIn);
  const foldersOf = (...names: readonly string[]) =>
    new Set(all.flatMap((each) => (names.includes(each.package.name) ? [folderOf(each)] : [])));
  const [whole, runtimes] = [foldersOf("kernel"), foldersOf("kernel", "elixir")];
  const byName = dependenciesByName({
    accepts: (found, _need, from) =>
      folderOf(found) === folderOf(from) || (runtimes.has(folderOf(found)) && !whole.has(folderOf(from))),
  });
  return byName(all, image);
};

/** `lib` of `lib/NAME-VERSION/ebin/NAME.app`. */
function folderOf({ packageDb }: CoalescedPackage): string {
  return parentOf(parentOf(parentOf(packageDb)));
}
