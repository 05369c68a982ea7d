import { namePatternKey } from "../../model/package.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { mavenVersions } from "../../versions/maven/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { withoutListed } from "../language/without-listed.ts";
import { javaDependencies } from "./dependencies.ts";
import { createJavaDetector } from "./detector.ts";
import { javaEvidence } from "./evidence.ts";
import { pomFileDetector, withInheritedDetails } from "./inherited-details.ts";
import { javaLockFiles } from "./lock-files.ts";
import { findMatchingNames } from "./name-patterns.ts";
import { nativeImageDetector } from "./native-image-detector.ts";
import { quarkusDependencies, withListedCoordinates } from "./quarkus-dependencies.ts";
import { unpackedDetector } from "./unpacked-detector.ts";
import { zipDetector } from "./zip-detector.ts";

const language = defineLanguage({
  name: "java",
  ecosystem: "Maven",
  repository: "maven",
  fileDetectors: [createJavaDetector(), unpackedDetector, quarkusDependencies, zipDetector, nativeImageDetector],
  lockFileDetectors: javaLockFiles,
  versions: mavenVersions,
  wholeName: /:/,
  keysRevision: 2,
  namesAmong(names) {
    const findMatching = findMatchingNames(names);
    return ({ package: { name }, repositories }) => {
      const patterns = repositories.flatMap((each) => (each.key === namePatternKey ? (each.name ?? []) : []));
      return name.includes(":") || patterns.length === 0 ? undefined : findMatching(patterns);
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
