import { mavenVersions } from "../../versions/maven/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { createJavaDetector } from "./detector.ts";
import { javaLockFiles } from "./lock-files.ts";

/** Java: what Maven, Gradle and other tools have built, in archives. */
export const java = defineLanguage({
  name: "java",
  ecosystem: "Maven",
  repository: "maven",
  fileDetectors: [createJavaDetector()],
  lockFileDetectors: javaLockFiles,
  versions: mavenVersions,
  // an artifact's name alone is no evidence: many groups have one of the same name
  nameOf: ({ name }) => (name.includes(":") ? name : undefined),
  purl: ["maven"],
  assesses: ["java"],
});
