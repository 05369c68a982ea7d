import { contentOf } from "../../bytes/byte-parts.ts";
import { isTestData } from "../../layer/test-data.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { maxStubBytes, pharMark } from "../../programs/watch-program.ts";

/** Opens programs of PHP with all their files in one, such as Composer itself. Those that are zip or tar archives are evidence of packages. */
export const pharDetector: FileDetector = {
  name: "php-phar",
  revision: 1,
  opens: { packages: "php", format: "phar", isArchive: (file) => isPhar(file) && !isTestData(file.path) },
  programs: "phar",
  names: { endings: [".phar"] },
  wants: ({ path, kind }: FileEntry) => kind !== "symbolic-link" && path.endsWith(".phar"),
  *detect(file: LayerFile): Iterable<Finding> {
    if (isPhar(file) || isTestData(file.path)) return;
    yield { kind: "evidence", path: file.path, packages: "php", pieces: 1 };
  },
};

function isPhar(file: LayerFile): boolean {
  return pharMark.find(contentOf(file).subarray(0, maxStubBytes)) >= 0;
}
