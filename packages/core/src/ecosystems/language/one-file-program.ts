import type { UnassessedKind } from "../../model/index-report.ts";
import type { BuildMark, FileDetector, LayerFile } from "../../plugins/detector.ts";

/** The detector of programs whose packages are joined with them into one file that is not read: each is evidence of packages that are not known. */
export function oneFileProgram(name: string, packages: UnassessedKind, programs: BuildMark): FileDetector {
  return {
    name,
    revision: 1,
    names: {},
    wants: () => false,
    programs,
    *detect({ path }: LayerFile) {
      yield { kind: "evidence", path, packages, pieces: 1 };
    },
  };
}
