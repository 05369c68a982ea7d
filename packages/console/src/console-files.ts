import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** A file of the console, as it is sent. */
export interface ConsoleFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Compressed on first use, so that the start does not compress files that are never requested. */
  readonly gzipped: Uint8Array;
  /** The entity tag of the content, without quotes. */
  readonly entityTag: string;
}

/** The built console, in memory: a few megabytes. */
export interface ConsoleFiles {
  /** The page that every address of the console gets. */
  readonly page: ConsoleFile;
  /** The files that the page loads, by their names; each name has a hash of the content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * The folders where the built console may be: in the package, or beside the bundle of a program that contains this module.
 * `npm run build` builds it.
 */
const places: readonly string[] = ["./web/", "../dist/web/", "./console/"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/**
 * Reads the built console.
 * @returns undefined if it was not built: `npm run build` has not run in this clone yet
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * const files = openConsoleFiles();
 * if (files !== undefined) registerConsole(app, files, { apis: ["/v2/", "/api/"] });
 */
export function openConsoleFiles(folders: readonly string[] = places): ConsoleFiles | undefined {
  const folder = folders.find((each) => existsSync(join(each, "index.html")));
  if (folder === undefined) return undefined;
  const names = readdirSync(folder).filter((name) => name !== "index.html");
  const assets = new Map(names.map((name) => [name, readConsoleFile(join(folder, name))] as const));
  return { page: readConsoleFile(join(folder, "index.html")), assets };
}

function readConsoleFile(path: string): ConsoleFile {
  const bytes = readFileSync(path);
  const entityTag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const mediaType = mediaTypes[extname(path)] ?? "application/octet-stream";
  let gzipped: Uint8Array | undefined;
  return {
    ...{ mediaType, bytes, entityTag },
    get gzipped() {
      gzipped ??= gzipSync(bytes, { level: 9 });
      return gzipped;
    },
  };
}
