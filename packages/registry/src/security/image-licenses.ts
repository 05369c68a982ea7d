import { licensedPackages, recordPurl } from "@plimsoll/core/internal";
import { indexRecords } from "@plimsoll/core/match";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import { findImageInventory, type SecurityDeps } from "./image-security.ts";

/** A package of an image, and what its record and the files beside it say about its licence. */
export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** Empty if it has none. */
  readonly purl: string;
  /** An SPDX expression; undefined if nothing is stated. */
  readonly license: string | undefined;
  /** What the files say, in their own words, with their paths in the image. */
  readonly statements: readonly { readonly text: string; readonly path: string }[];
  readonly supplier: string | undefined;
}

/** The licences of an image. */
export interface ImageLicenses {
  /** Each licence of the packages' expressions with the number of packages, the most frequent first. */
  readonly licenses: readonly { readonly license: string; readonly packages: number }[];
  /** In the order of their names. */
  readonly packages: readonly LicensedPackage[];
  /** Whether something in the image could not be read, so that there may be more. */
  readonly isPartial: boolean;
}

/**
 * The licences of the packages of an image, as these state them; null unless the image is scanned.
 * @throws RegistryError `downstream_issue` if the scanner does not respond
 */
export async function findImageLicenses(deps: SecurityDeps, manifest: ImageManifestRow, signal: AbortSignal) {
  const found = await findImageInventory(deps, manifest, signal);
  if (found.status !== "scanned") return { ...found, data: null };
  const { index } = found;
  const { details = {}, coverage } = index;
  const records = new Map(indexRecords(index).map((record) => [record.package.id, record]));
  const yieldToOthers = cooperativeYield();
  const counts = new Map<string, number>();
  const packages: LicensedPackage[] = [];
  for (const { package: found, summary, statements } of licensedPackages(index)) {
    const record = records.get(found.id);
    if (record === undefined) continue;
    for (const each of summary?.licenses ?? []) counts.set(each, (counts.get(each) ?? 0) + 1);
    packages.push({
      name: found.name,
      version: found.version,
      purl: recordPurl(record)?.toString() ?? "",
      license: summary?.expression,
      statements,
      supplier: details[found.id]?.supplier,
    });
    await yieldToOthers();
  }
  const licenses = [...counts].map(([license, count]) => ({ license, packages: count }));
  const data: ImageLicenses = {
    licenses: licenses.sort((a, b) => b.packages - a.packages || (a.license < b.license ? -1 : 1)),
    packages: packages.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1)),
    isPartial: coverage.status === "partial",
  };
  return { status: found.status, data };
}
