import { lockFileDetector } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";

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
export const javaLockFiles = [gradleLockDetector];
