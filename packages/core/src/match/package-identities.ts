import type { IndexReport } from "../model/index-report.ts";
import { languageKey, type Package } from "../model/package.ts";
import { commonName } from "../model/package-name.ts";

/** The parts of a report that identify packages. */
export type ReportInventory = Pick<IndexReport, "packages" | "environments" | "repositories">;

/** The identity of each package across images, by package id: ecosystem, name, kind, architecture and module, without version and id. */
export function packageIdentities({
  packages,
  environments,
  repositories,
}: ReportInventory): ReadonlyMap<string, string> {
  const ecosystemOf = (id: string) => {
    const known = (environments[id] ?? []).flatMap(({ repositoryIds }) =>
      repositoryIds.map((each) => repositories[each]),
    );
    return known.find((repository) => repository?.key === languageKey)?.name ?? "";
  };
  return new Map(Object.entries(packages).map(([id, found]) => [found.id, identityOf(found, ecosystemOf(id))]));
}

function identityOf({ name, kind, arch, module }: Package, ecosystem: string): string {
  return [commonName(ecosystem, name), kind, arch ?? "", module ?? "", ecosystem].join("\n");
}
