import type { Updater } from "../../plugins/updater.ts";
import { findNumbered } from "../oval/find-documents.ts";
import { ovalUpdater } from "../oval/updater.ts";

/** Imports Oracle Linux's errata: from the site's document of each year, a folder of documents, or one document. */
export const oracleUpdater: Updater = ovalUpdater({
  location: "https://linux.oracle.com/security/oval/",
  scope: { partBytes: { ol: 0 }, sharedBytes: 10e6 },
  vendor: { updater: "oracle", packageKind: "BINARY", ecosystemsOf: ({ products = [] }) => products.flatMap(keysOf) },
  findParts: (parts) =>
    findNumbered(parts, { first: 2007, last: 2106, nameOf: (year) => `com.oracle.elsa-${year}.xml.bz2` }),
});

function keysOf(product: string): readonly string[] {
  const version = /^Oracle Linux (\d+)$/.exec(product)?.[1];
  return version === undefined ? [] : [`ol:${version}`];
}
