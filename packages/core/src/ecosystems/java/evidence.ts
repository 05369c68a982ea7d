import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";
import { watchPackedTar } from "./packed-tar.ts";

/** What shows that there are packages of Java. */
export const javaEvidence: readonly EvidenceRule[] = [
  { kind: "java", mark: "jar" },
  {
    kind: "java",
    extensions: ["aar", "ear", "esa", "hpi", "jar", "jpi", "kar", "lpkg", "nar", "par", "sar", "wab", "war"],
  },
  // modules of the Java runtime itself are parts of it
  { kind: "java", extensions: ["jmod"], unless: /(?:^|\/)(?:java|jdk)\.[^/]+\.jmod$/ },
  { kind: "java", extensions: ["gz"], where: /\.(?:ear|jar|war)\.pack\.gz$/i },
  {
    kind: "java",
    extensions: ["gz", "tgz"],
    where: /\.(?:tar\.gz|tgz)$/i,
    unless: /(?:^|\/)(?:fixtures?|t|test-?data|tests?|testing)\//i,
    watch: watchPackedTar,
  },
  lockFilesNamed("java", "buildscript-gradle.lockfile", "gradle.lockfile", "settings-gradle.lockfile"),
];
