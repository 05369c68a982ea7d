/**
 * The lists of files that a package owns, in `var/lib/dpkg/info/`:
 *
 * ```
 * NAME[:ARCH].list     one absolute path per line, folders and links too; "/." is the root
 * NAME[:ARCH].md5sums  32 hex digits, two blanks, path without leading slash; files only
 * ```
 */
import { packageDetails } from "../../model/package-details.ts";
import type { FileDetector, FileLists } from "../../plugins/detector.ts";
import { decodeText, ownText } from "../linux/text.ts";

/** A file of `info/` that lists the files of a package. */
export interface OwnershipFile {
  readonly packageName: string;
  /** Only for packages that can be installed for several architectures. */
  readonly arch?: string;
  readonly kind: "list" | "md5sums";
}

/**
 * The package and kind of a list, by its path; undefined for the other files of `info/`.
 * @example
 * const file = findOwnershipFile("var/lib/dpkg/info/zlib1g:amd64.list");
 */
export function findOwnershipFile(path: string): OwnershipFile | undefined {
  const [, stem, arch, kind] = /(?:^|\/)([^/:]+)(?::([^/:]+))?\.(list|md5sums)$/.exec(path) ?? [];
  if (stem === undefined || (kind !== "list" && kind !== "md5sums")) return undefined;
  const packageName = path.includes("/status.d/") ? (decodedName(stem) ?? stem) : stem;
  return arch === undefined ? { packageName, kind } : { packageName, arch, kind };
}

/** The name of a package that some builds of Distroless write in Base64: `openssl` of `b3BlbnNzbA==`. */
function decodedName(stem: string): string | undefined {
  if (!/^[A-Za-z0-9+]{2,300}={0,2}$/.test(stem) || stem.length % 4 !== 0) return undefined;
  const name = atob(stem);
  return /^[a-z0-9][a-z0-9+.-]+$/.test(name) ? name : undefined;
}

/**
 * The paths of a `.list` file, without leading slash, in file order.
 * @throws ScanError `malformed_package_db` if the file is too large
 * @example
 * parseFileList(new TextEncoder().encode("/.\n/usr\n/usr/lib/libz.so.1\n"));
 */
export function parseFileList(bytes: Uint8Array): string[] {
  const paths: string[] = [];
  for (const line of decodeText(bytes).split("\n")) {
    if (line.startsWith("/") && line !== "/" && line !== "/.") paths.push(line.slice(1));
  }
  return paths;
}

const digestLength = 32;
const pathStart = digestLength + 2;

/**
 * The paths of a `.md5sums` file, without leading slash, in file order; other lines are left out.
 * @throws ScanError `malformed_package_db` if the file is too large
 * @example
 * parseMd5sums(new TextEncoder().encode("d41d8cd98f00b204e9800998ecf8427e  usr/lib/libz.so.1\n")); // ["usr/lib/libz.so.1"]
 */
export function parseMd5sums(bytes: Uint8Array): string[] {
  return linesOfMd5sums(bytes).map((line) => withoutRoot(line.slice(pathStart)));
}

function linesOfMd5sums(bytes: Uint8Array): string[] {
  return decodeText(bytes)
    .split("\n")
    .filter((line) => line.length > pathStart && line[digestLength] === " ");
}

/** The files of packages of dpkg and opkg: all by `.list`, and those with digests by `.md5sums`. */
export const dpkgFileLists: FileLists = {
  name: "dpkg-file-lists",
  revision: 2,
  names: { endings: [".list", ".md5sums"] },
  wants: ({ path }) => listFolders.test(path),
  *lists(files) {
    for (const { path: listedIn, bytes } of files) {
      const list = findOwnershipFile(listedIn);
      if (list === undefined) continue;
      const { packageName: owner, arch, kind } = list;
      const place = { listedIn, owner, arch, databaseIn: databaseOf(listedIn) };
      if (kind === "list") yield { ...place, files: parseFileList(bytes) };
      else {
        const lines = linesOfMd5sums(bytes);
        const digests = lines.map((line) =>
          /^[0-9a-f]{32}/i.test(line) ? `md5:${line.slice(0, digestLength).toLowerCase()}` : "",
        );
        yield { ...place, files: lines.map((line) => withoutRoot(line.slice(pathStart))), digests };
      }
    }
  },
};

/** Reads which programs a package of dpkg has: files in folders `bin` and `sbin`, by which the command of an image finds it. */
export const programsDetector: FileDetector = {
  name: "dpkg-programs",
  revision: 1,
  names: { endings: [".list"] },
  wants: ({ path }) => path.endsWith(".list") && listFolders.test(path),
  *detect({ path, bytes }) {
    const { packageName: of } = findOwnershipFile(path) ?? {};
    const details = packageDetails({ provides: programsIn(decodeText(bytes)) });
    if (of !== undefined && details !== undefined) yield { kind: "details", path, of, details };
  },
};

/** The paths of programs in a list. Lists are long, and few of their lines are programs. */
function programsIn(text: string): readonly string[] {
  const programs: string[] = [];
  for (let at = text.indexOf("bin/"); at >= 0; at = text.indexOf("bin/", at + 1)) {
    const name = at + "bin/".length;
    const end = text.indexOf("\n", name);
    const line = text.slice(text.lastIndexOf("\n", at) + 1, end < 0 ? undefined : end);
    if (/\/s?bin\/[^/]+$/.test(line)) programs.push(ownText(line));
  }
  return programs;
}

/** The folder of the database, `status` or `status.d`, beside the folder with a list. */
export function databaseOf(list: string): string {
  return `${list.split("/").slice(0, -2).join("/")}/`;
}

/** The folders of lists. In Distroless' `status.d`, a package has a file of digests and no list; images built from it may have that in `info`. */
export const listFolders =
  /^(?:(?:var|usr)\/lib\/[do]pkg\/info|lib\/opkg\/info|var\/lib\/dpkg\/status\.d)\/[^/]+\.(?:list|md5sums)$/;

function withoutRoot(path: string): string {
  if (path.startsWith("./")) return path.slice(2);
  return path.startsWith("/") ? path.slice(1) : path;
}
