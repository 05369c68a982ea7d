import { pep440Versions } from "../../versions/pep440/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { oneFileProgram } from "../language/one-file-program.ts";
import { pythonApplicationDetector, pythonSourceDetector } from "./application-detector.ts";
import { pythonArchiveDetector, pythonDetector } from "./detector.ts";
import { pythonEvidence } from "./evidence.ts";
import { pythonLockFiles } from "./lock-files.ts";
import { pythonDependencies } from "./metadata.ts";

/** Python packages that pip and other installers have installed. */
export const python = defineLanguage({
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
  dependencies: pythonDependencies,
  purl: ["pypi"],
  assesses: ["python"],
});
