import { createEvidenceRules, type EvidenceRules } from "../evidence/evidence-rules.ts";
import type { EvidenceRule } from "../plugins/evidence.ts";
import { apkEvidence } from "./apk/evidence.ts";
import { bitnamiEvidence } from "./bitnami/evidence.ts";
import { cocoapodsEvidence } from "./cocoapods/evidence.ts";
import { conanEvidence } from "./conan/evidence.ts";
import { condaEvidence } from "./conda/evidence.ts";
import { dartEvidence } from "./dart/evidence.ts";
import { dotnetEvidence } from "./dotnet/evidence.ts";
import { erlangEvidence } from "./erlang/evidence.ts";
import { flatpakEvidence } from "./flatpak/evidence.ts";
import { goEvidence } from "./go/evidence.ts";
import { haskellEvidence } from "./haskell/evidence.ts";
import { homebrewEvidence } from "./homebrew/evidence.ts";
import { javaEvidence } from "./java/evidence.ts";
import { lockFilesLike, lockFilesNamed } from "./language/lock-file-evidence.ts";
import { luaEvidence } from "./lua/evidence.ts";
import { nixEvidence } from "./nix/evidence.ts";
import { npmEvidence } from "./npm/evidence.ts";
import { pacmanEvidence } from "./pacman/evidence.ts";
import { pearEvidence } from "./pear/evidence.ts";
import { perlEvidence } from "./perl/evidence.ts";
import { phpEvidence } from "./php/evidence.ts";
import { portageEvidence } from "./portage/evidence.ts";
import { pythonEvidence } from "./python/evidence.ts";
import { rEvidence } from "./r/evidence.ts";
import { rpmEvidence } from "./rpm/evidence.ts";
import { rubyEvidence } from "./ruby/evidence.ts";
import { rustEvidence } from "./rust/evidence.ts";
import { snapEvidence } from "./snap/evidence.ts";
import { swiftEvidence } from "./swift/evidence.ts";
import { vcpkgEvidence } from "./vcpkg/evidence.ts";

/**
 * What shows that there are packages of languages that no ecosystem reads.
 * @see https://pkgdocs.julialang.org/v1/glossary/ (depot)
 * @see https://opam.ocaml.org/doc/Manual.html#opam-root
 */
export const unreadLanguages: readonly EvidenceRule[] = [
  { kind: "julia", files: ["Project.toml"], where: /(?:^|\/)packages\/[^/]+\/[A-Za-z0-9]{5}\/Project\.toml$/ },
  lockFilesNamed("julia", "JuliaManifest.toml"),
  { kind: "ocaml", files: ["opam"], where: /(?:^|\/)\.opam-switch\/packages\/[^/]+\/opam$/ },
  lockFilesLike("ocaml", "locked", /[^/]\.opam\.locked$/),
];

/**
 * What shows that packages of any ecosystem are there. An engine uses all of it, whatever its ecosystems: packages that it does not read are to be
 * reported.
 */
export const allEvidence: readonly EvidenceRule[] = [
  ...apkEvidence,
  ...bitnamiEvidence,
  ...cocoapodsEvidence,
  ...conanEvidence,
  ...condaEvidence,
  ...dartEvidence,
  ...dotnetEvidence,
  ...erlangEvidence,
  ...flatpakEvidence,
  ...goEvidence,
  ...haskellEvidence,
  ...homebrewEvidence,
  ...javaEvidence,
  ...luaEvidence,
  ...nixEvidence,
  ...npmEvidence,
  ...pacmanEvidence,
  ...pearEvidence,
  ...perlEvidence,
  ...phpEvidence,
  ...portageEvidence,
  ...pythonEvidence,
  ...rEvidence,
  ...rpmEvidence,
  ...rubyEvidence,
  ...rustEvidence,
  ...snapEvidence,
  ...swiftEvidence,
  ...vcpkgEvidence,
  ...unreadLanguages,
];

/** The rules of {@link allEvidence}. */
export const allEvidenceRules: EvidenceRules = createEvidenceRules(allEvidence);
