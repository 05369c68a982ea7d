import { dependenciesByName, inSameFile } from "../../index/named-dependencies.ts";
import { namePatternKey, type Package } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { golangVersions } from "../../versions/golang/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { goDetector } from "./detector.ts";
import { goEvidence } from "./evidence.ts";
import { goLockFiles } from "./lock-files.ts";
import { findParts, standardLibrary, toolchain } from "./parts.ts";
import { unreleasedModule } from "./unreleased.ts";

/** Packages of Go itself, whose versions are those of toolchains. */
const goPackages: ReadonlySet<string> = new Set([standardLibrary, toolchain]);

/** A prerelease as the Go vulnerability database writes it: `1.24.0-rc.2`, `1.24.0-0`. Toolchains have other suffixes: `1.22.1-custom`. */
const semverPrerelease = /^\d+\.\d+\.\d+-(?:0|(?:beta|rc)\.\d+)$/;

/** The version of a package of Go itself is the name of a toolchain (`1.24rc2`), unless an SBOM has it as the vulnerability database does. */
function versionOf({ name, version }: Package): string {
  const isToolchain = goPackages.has(name) && /^\d/.test(version) && !semverPrerelease.test(version);
  return isToolchain ? `go${version}` : version;
}

/** The names in advisories of a module that a document has in lower case, as package URLs do: `github.com/Masterminds/sprig`. Modules do not differ in case alone. */
function namesAmong(names: readonly string[]) {
  const mixed = names.filter((name) => name !== name.toLowerCase());
  const byLowerCase = Map.groupBy(mixed, (name) => name.toLowerCase());
  return ({ package: { name }, repositories }: IndexRecord): readonly string[] | undefined => {
    const isWithoutCase = repositories.some((each) => each.key === namePatternKey && each.name === name);
    return isWithoutCase ? byLowerCase.get(name) : undefined;
  };
}

/** Go: the modules of programs. */
export const go = defineLanguage({
  name: "go",
  ecosystem: "Go",
  repository: "go",
  fileDetectors: [goDetector],
  lockFileDetectors: goLockFiles,
  versions: golangVersions,
  versionOf,
  namesAmong,
  findParts,
  unreleased: unreleasedModule,
  evidence: goEvidence,
  dependencies: dependenciesByName({ accepts: inSameFile }),
  purl: ["golang"],
  assesses: ["go"],
});
