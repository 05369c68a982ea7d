import { lockFileDetector } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";

const line = /^([^\s:=#]+:[^\s:=]+):([^\s:=]+)=(\S*)$/;
const checkConfiguration = /test|detekt|ktlint|spotless|checkstyle|jacoco/i;

const gradleLockDetector = lockFileDetector({
  name: "gradle-lockfile",
  isNamed: (file) => file === "gradle.lockfile" || file === "buildscript-gradle.lockfile",
  *read(file) {
    const isOfBuild = file.path.endsWith("buildscript-gradle.lockfile");
    for (const text of decodeText(file.bytes).split("\n")) {
      const [, name, version, configurations = ""] = line.exec(text.trim()) ?? [];
      if (name === undefined || version === undefined) continue;
      yield {
        name,
        version,
        isDevelopment: isOfBuild || configurations.split(",").every((each) => checkConfiguration.test(each)),
      };
    }
  },
});

/**
 * The detectors of Java's lock files: Gradle's, `GROUP:ARTIFACT:VERSION=CONFIGURATION{,CONFIGURATION}`. A package is for development if only
 * configurations of tests and checks have it, or if it builds the project.
 * @see https://docs.gradle.org/current/userguide/dependency_locking.html
 */
export const javaLockFiles = [gradleLockDetector];
