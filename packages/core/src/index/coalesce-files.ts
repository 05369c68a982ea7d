import type { CoalescedPackage, Coalescer } from "../plugins.ts";

/**
 * Coalesces packages that are proved by single files (`package.json`, a lock file): those whose file is still there in the
 * finished image as their layer wrote it. No distribution speaks of them.
 */
export const coalesceFiles: Coalescer = function* coalesce(layers, image): Iterable<CoalescedPackage> {
  for (const [index, { digest, findings }] of layers.entries()) {
    for (const finding of findings) {
      if (finding.kind !== "package" || !image.survives(finding.packageDb, index)) continue;
      yield { package: finding.package, packageDb: finding.packageDb, introducedIn: digest, repositories: [] };
    }
  }
};
