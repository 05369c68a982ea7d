import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Java. */
export const javaEvidence: readonly EvidenceRule[] = [
  { kind: "java", mark: "jar" },
  {
    kind: "java",
    extensions: ["aar", "ear", "esa", "hpi", "jar", "jpi", "kar", "lpkg", "nar", "par", "sar", "wab", "war"],
  },
  lockFilesNamed("java", "buildscript-gradle.lockfile", "gradle.lockfile", "settings-gradle.lockfile"),
];
