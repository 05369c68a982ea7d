import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { pep440Versions } from "../../versions/pep440/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { oneFileProgram } from "../language/one-file-program.ts";
import { withStatedDetails } from "../language/stated-details.ts";
import { pythonApplicationDetector, pythonSourceDetector } from "./application-detector.ts";
import { eggRequiresDetector, pythonArchiveDetector, pythonDetector, pythonFileLists } from "./detector.ts";
import { pythonEvidence } from "./evidence.ts";
import { pythonInstallation, pythonLockFiles } from "./lock-files.ts";
import { pythonDependencies, pythonRuntime, venvDetector, venvFileOf } from "./metadata.ts";

const language = defineLanguage({
  name: "python",
  ecosystem: "PyPI",
  repository: "pypi",
  fileDetectors: [
    pythonDetector,
    pythonArchiveDetector,
    pythonApplicationDetector,
    pythonSourceDetector,
    oneFileProgram("python-one-file", "python", "pyinstaller"),
  ],
  lockFileDetectors: pythonLockFiles,
  versions: pep440Versions,
  evidence: pythonEvidence,
  installation: pythonInstallation,
  dependencies: pythonDependencies,
  runtime: pythonRuntime,
  purl: ["pypi"],
  assesses: ["python"],
});

const { coalesce = () => [] } = language;

/** Python packages that pip and other installers have installed. */
export const python: Ecosystem = {
  ...language,
  detailDetectors: [eggRequiresDetector, venvDetector],
  fileLists: [pythonFileLists],
  coalesce: withStatedDetails(coalesce, ({ packageDb }) => [packageDb, venvFileOf(packageDb)]),
};
