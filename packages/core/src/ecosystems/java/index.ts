import { namePatternKey } from "../../model/package.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { mavenVersions } from "../../versions/maven/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { withoutListed } from "../language/without-listed.ts";
import { decodeText } from "../linux/text.ts";
import { javaDependencies } from "./dependencies.ts";
import { createJavaDetector } from "./detector.ts";
import { javaEvidence } from "./evidence.ts";
import { pomFileDetector, withInheritedDetails } from "./inherited-details.ts";
import { findMatchingNames } from "./name-patterns.ts";
import { nativeImageDetector } from "./native-image-detector.ts";
import { quarkusDependencies, withListedCoordinates } from "./quarkus-dependencies.ts";
import { unpackedDetector, zipDetector } from "./unpacked-detector.ts";

const line = /^([^\s:=#]+:[^\s:=]+):([^\s:=]+)=(\S*)$/;
const checkConfiguration = /test|detekt|ktlint|spotless|checkstyle|jacoco/i;
/** Configurations whose packages the compiler needs, and no program: `annotationProcessor`, `compileClasspath`, `kapt`, `kspMain`. */
const compilerConfiguration =
  /annotationProcessor|compileClasspath|compileOnly|PluginClasspath|kotlinCompilerClasspath|^kapt|^ksp|^developmentOnly$/i;

/** Whether a program that runs needs what only these configurations have. */
function isOfRuntime(configuration: string): boolean {
  return !checkConfiguration.test(configuration) && !compilerConfiguration.test(configuration);
}

const gradleLockDetector = lockFileDetector({
  name: "gradle-lockfile",
  revision: 2,
  isNamed: (file) => file === "gradle.lockfile" || file === "buildscript-gradle.lockfile",
  *read(file) {
    const isOfBuild = file.path.endsWith("buildscript-gradle.lockfile");
    for (const text of decodeText(file.bytes).split("\n")) {
      const [, name, version, configurations = ""] = line.exec(text.trim()) ?? [];
      if (name === undefined || version === undefined) continue;
      yield {
        name,
        version,
        isDevelopment: isOfBuild || !configurations.split(",").some(isOfRuntime),
      };
    }
  },
});

/**
 * The detectors of Java's lock files: Gradle's, `GROUP:ARTIFACT:VERSION=CONFIGURATION{,CONFIGURATION}`. A package is for development if only
 * configurations of the compiler, tests and checks have it, or if it builds the project.
 * @see https://docs.gradle.org/current/userguide/dependency_locking.html
 */
const javaLockFiles = [gradleLockDetector];

const language = defineLanguage({
  name: "java",
  ecosystem: "Maven",
  repository: "maven",
  fileDetectors: [createJavaDetector(), unpackedDetector, quarkusDependencies, zipDetector, nativeImageDetector],
  lockFileDetectors: javaLockFiles,
  versions: mavenVersions,
  wholeName: /:/,
  keysRevision: 3,
  namesAmong(names) {
    const findMatching = findMatchingNames(names);
    const known = new Set(names);
    return ({ package: { name }, repositories }) => {
      const patterns = repositories.flatMap((each) => (each.key === namePatternKey ? (each.name ?? []) : []));
      return known.has(name) || patterns.length === 0 ? undefined : findMatching(patterns);
    };
  },
  evidence: javaEvidence,
  dependencies: javaDependencies,
  runtime: { program: "java" },
  purl: ["maven"],
  assesses: ["java"],
});

const { coalesce = () => [] } = language;

/** Java: packages in archives that Maven, Gradle and other tools have built. */
export const java: Ecosystem = {
  ...language,
  detailDetectors: [pomFileDetector],
  coalesce: withListedCoordinates(withInheritedDetails(withoutListed(coalesce))),
};
