import { findNumbered } from "../oval/find-documents.ts";
import { ovalUpdater } from "../oval/updater.ts";

/** Brings Oracle Linux's errata in: one document a year, or a folder of such, or one document. */
export const oracleUpdater = ovalUpdater({
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
