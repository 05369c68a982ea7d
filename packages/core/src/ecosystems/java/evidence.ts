import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";
import { ofRuntime, watchRunTimeImage } from "./run-time-image.ts";

/** What shows that there are packages of Java. */
export const javaEvidence: readonly EvidenceRule[] = [
  { kind: "java", mark: "jar" },
  { kind: "java", mark: "native-image" },
  {
    kind: "java",
    extensions: ["aar", "ear", "esa", "hpi", "jar", "jpi", "kar", "lpkg", "nar", "par", "sar", "wab", "war"],
  },
  {
    kind: "java",
    extensions: ["jmod"],
    unless: { test: (path) => ofRuntime.test(path.slice(path.lastIndexOf("/") + 1)) },
  },
  { kind: "java", files: ["modules"], where: /(?:^|\/)lib\/modules$/, watch: watchRunTimeImage },
  { kind: "java", extensions: ["pack.gz"], where: /\.(?:ear|jar|war)\.pack\.gz$/i },
  packedInTar("java", /\.(?:ear|jar|war)$/i),
  lockFilesNamed(
    "java",
    "build.sbt.lock",
    "buildscript-gradle.lockfile",
    "gradle.lockfile",
    "settings-gradle.lockfile",
  ),
  // https://github.com/bazel-contrib/rules_jvm_external#pinning-artifacts-and-integration-with-bazels-downloader
  lockFilesLike("java", "json", /(?:^|\/)(?:[^/]*_)?maven_install\.json$/i),
];
