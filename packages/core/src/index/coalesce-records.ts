import type { CoalescedPackage, EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import { fileOf } from "./owned-files.ts";

/**
 * Coalesces packages of an operating system that keeps one file per package (`var/lib/pacman/local/NAME/desc`): those whose
 * file is unchanged in the finished image.
 * @example
 * const pacman: Pick<Ecosystem, "coalesce"> = { coalesce: coalesceRecords };
 */
export function* coalesceRecords(layers: readonly EcosystemLayer[], image: ImageView): Iterable<CoalescedPackage> {
  for (const [index, { digest, findings }] of layers.entries()) {
    for (const finding of findings) {
      if (finding.kind !== "package" || !image.survives(fileOf(finding), index)) continue;
      const distribution = image.distributionAt(index);
      yield {
        package: finding.package,
        packageDb: finding.packageDb,
        introducedIn: digest,
        details: finding.details,
        repositories: [],
        distribution,
      };
    }
  }
}
