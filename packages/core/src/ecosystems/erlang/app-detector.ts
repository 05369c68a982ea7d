/**
 * The resource file of an Erlang application, of which two members are read:
 *
 * ```
 * resource = "{" "application" "," name "," "[" … "{" "vsn" "," string "}" … "]" "}" "."      "%" begins a comment
 * ```
 * @see https://www.erlang.org/doc/apps/kernel/app.html
 */

import { ScanError } from "../../errors.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isTestData } from "../language/package-folders.ts";
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
    revision: 1,
    names: { endings: [".app"] },
    wants: ({ path }: FileEntry) => path.endsWith(".app") && place.test(path) && wantsName(nameOf(path)),
    *detect(file: LayerFile): Iterable<Finding> {
      if (file.bytes.length > maxBytes) {
        throw new ScanError("malformed_package_db", `expected at most ${maxBytes} bytes, found ${file.bytes.length}`);
      }
      const found = parseApp(file.bytes);
      if (found === undefined) yield unreadable(file.path, "expected an Erlang application, found none");
      else yield provenPackage(file, found);
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
function isZip({ bytes, parts = bytes }: LayerFile): boolean {
  const [first, second] = parts.subarray(0, 2);
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
function parseApp(bytes: Uint8Array): ErlangApp | undefined {
  const text = decoder.decode(bytes).replace(/^[ \t]*%.*$/gm, "");
  const [, name] = head.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, version = ""] = vsn.exec(text) ?? [];
  return { name: ownText(name), version: ownText(version) };
}
