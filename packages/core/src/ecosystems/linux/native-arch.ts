import type { CoalescedPackage } from "../../plugins/coalescer.ts";

const forAll: ReadonlySet<string> = new Set(["all", "any", "noarch"]);

/** The architecture of the system that packages of one packaging system are of: that of dpkg itself, else the one of most packages; undefined if none has one. */
export function nativeArch(packages: readonly CoalescedPackage[]): string | undefined {
  const own = packages.find(({ package: { name } }) => name === "dpkg");
  if (own?.package.arch !== undefined) return own.package.arch;
  const groups = Map.groupBy(
    packages.flatMap(({ package: { arch } }) => (arch === undefined || forAll.has(arch) ? [] : [arch])),
    (arch) => arch,
  );
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
