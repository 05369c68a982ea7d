import type { Updater } from "../../plugins/updater.ts";
import { findNumbered } from "../oval/find-documents.ts";
import { ovalUpdater } from "../oval/updater.ts";

/** Imports Photon OS's advisories: from the site's document of each release, a folder of documents, or one document. */
export const photonUpdater: Updater = ovalUpdater({
  location: "https://packages.vmware.com/photon/photon_oval_definitions/",
  scope: { partBytes: { photon: 0 }, sharedBytes: 10e6 },
  vendor: { updater: "photon", packageKind: "BINARY", ecosystemsOf: ({ products = [] }) => products.flatMap(keysOf) },
  findParts: (parts) =>
    findNumbered(parts, { first: 1, last: 99, nameOf: (release) => `com.vmware.phsa-photon${release}.xml` }),
});

function keysOf(product: string): readonly string[] {
  const version = /^Photon OS (\d+)(?:\.0)?$/.exec(product)?.[1];
  return version === undefined ? [] : [`photon:${version}.0`];
}
