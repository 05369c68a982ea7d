import { ownRelease, thirdPartyIn } from "../distributions/shared/find.ts";
import type { PackagingSystem } from "../distributions/shared/known-distribution.ts";
import { thirdPartyKey } from "../model/package.ts";
import type { Coalescer } from "../plugins/coalescer.ts";
import { fileOf } from "./owned-files.ts";

/**
 * Coalesces packages of an operating system that keeps one file per package (`var/lib/pacman/local/NAME/desc`): those whose
 * file is unchanged in the finished image.
 * @example
 * const pacman: Pick<Ecosystem, "coalesce"> = { coalesce: coalesceRecords("pacman") };
 */
export function coalesceRecords(packaging: PackagingSystem): Coalescer {
  return function* coalesce(layers, image) {
    for (const [index, { digest, findings }] of layers.entries()) {
      for (const finding of findings) {
        if (finding.kind !== "package" || !image.survives(fileOf(finding), index)) continue;
        const distribution = ownRelease(packaging, image.distributionAt(index));
        const thirdParty = thirdPartyIn(finding.thirdParty, distribution);
        yield {
          package: finding.package,
          packageDb: finding.packageDb,
          introducedIn: digest,
          details: finding.details,
          repositories: thirdParty === undefined ? [] : [{ name: thirdParty, key: thirdPartyKey }],
          distribution,
        };
      }
    }
  };
}
