import { contentOf } from "../../bytes/byte-parts.ts";
import { dependenciesByName, inSameFile } from "../../index/named-dependencies.ts";
import type { DetectOptions, FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { Program } from "../../programs/program.ts";
import { readPrograms } from "../../programs/read-programs.ts";
import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { isOfDependency } from "../language/package-folders.ts";
import { asFile, provenPackage, unreadable } from "../language/proof.ts";
import { tomlTables, tomlText } from "../language/toml-tables.ts";
import { decodeText } from "../linux/text.ts";
import { readAuditData } from "./audit-data.ts";
import { findBuiltCrates, isBuiltByRustc } from "./built-crates.ts";
import { rustEvidence } from "./evidence.ts";

const cargoLockDetector = lockFileDetector({
  name: "cargo-lock",
  isNamed: (file) => file === "Cargo.lock",
  *read(file) {
    for (const table of tomlTables(decodeText(file.bytes))) {
      const [name, version] = [tomlText(table, "name"), tomlText(table, "version")];
      const isOwn = tomlText(table, "source") === ""; // of the project itself
      if (table.name === "package" && name !== "" && version !== "" && !isOwn) yield { name, version };
    }
  },
});

/**
 * The detectors of Rust's lock files: `[[package]] name, version, source`. They do not say which packages are for development.
 * @see https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html
 */
const rustLockFiles = [cargoLockDetector];

/**
 * Finds the packages of Rust programs: all of those that were built with cargo-auditable, and some of others, which are therefore evidence of packages that are not
 * known. A program in a package of a language is a part of it.
 */
const rustDetector: FileDetector = {
  name: "cargo-auditable",
  revision: 5,
  names: {},
  wants: () => false,
  programs: "rust",
  *detect(file: LayerFile, options?: DetectOptions): Iterable<Finding> {
    const seen = new Set<string>(); // the slices of a Mach-O file mostly have the same packages
    let hasList = false;
    const programs = [...readPrograms(contentOf(file))];
    for (const program of programs) {
      const crates = readAuditData(program);
      hasList ||= crates !== undefined;
      for (const crate of crates ?? []) {
        const key = `${crate.name}\0${crate.version}`;
        const { requires, isRoot, ...own } = crate;
        if (seen.has(key)) continue;
        seen.add(key);
        const proven = provenPackage(file, { ...own, details: { requires } });
        yield isRoot === true ? asFile(proven, "program", options) : proven;
      }
    }
    if (!hasList) yield* readWithoutList(file, programs);
  },
};

function* readWithoutList(file: LayerFile, programs: readonly Program[]): Iterable<Finding> {
  const { path, archive } = file;
  if (!programs.some(isBuiltByRustc)) {
    yield unreadable(path, "expected a section .dep-v0, found its name elsewhere");
    return;
  }
  if (archive !== undefined || isOfDependency(path)) return;
  for (const crate of findBuiltCrates(programs)) yield provenPackage(file, crate);
  yield { kind: "evidence", path, packages: "rust", pieces: 1, unlessOwned: true };
}

/** Rust: the packages of programs. */
export const rust = defineLanguage({
  name: "rust",
  ecosystem: "crates.io",
  repository: "crates.io",
  fileDetectors: [rustDetector],
  lockFileDetectors: rustLockFiles,
  versions: semverVersions,
  evidence: rustEvidence,
  dependencies: dependenciesByName({
    namesOf: ({ package: { name, version } }) => [`${name} ${version}`],
    accepts: inSameFile,
  }),
  purl: ["cargo"],
  assesses: ["rust"],
});
