import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Java. */
export const javaEvidence: readonly EvidenceRule[] = [
  { kind: "java", mark: "jar" },
  { kind: "java", mark: "native-image" },
  {
    kind: "java",
    extensions: ["aar", "ear", "esa", "hpi", "jar", "jpi", "kar", "lpkg", "nar", "par", "sar", "wab", "war"],
  },
  // modules of the Java runtime itself are parts of it
  { kind: "java", extensions: ["jmod"], unless: /(?:^|\/)(?:java|jdk)\.[^/]+\.jmod$/ },
  { kind: "java", extensions: ["gz"], where: /\.(?:ear|jar|war)\.pack\.gz$/i },
  packedInTar("java", /\.(?:ear|jar|war)$/i),
  lockFilesNamed("java", "buildscript-gradle.lockfile", "gradle.lockfile", "settings-gradle.lockfile"),
];
