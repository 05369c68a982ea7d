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
import { inTests, lockFilesLike, packedInTar } from "./language/lock-file-evidence.ts";
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
 * The exact versions of a project of Julia, but for those of installed packages and of Julia itself. Other tools have a `manifest.toml`.
 * @see https://pkgdocs.julialang.org/v1/toml-files/#Manifest.toml
 */
const juliaManifest =
  /^(?!(?:.*\/)?(?:packages\/[^/]+\/[A-Za-z0-9]{5}|share\/julia)\/)(?:.*\/)?(?:Julia)?Manifest(?:-v\d+\.\d+)?\.toml$/;

/**
 * What shows that there are packages of languages that no ecosystem reads.
 * @see https://pkgdocs.julialang.org/v1/glossary/ (depot)
 * @see https://opam.ocaml.org/doc/Manual.html#opam-root
 */
export const unreadLanguages: readonly EvidenceRule[] = [
  { kind: "julia", files: ["Project.toml"], where: /(?:^|\/)packages\/[^/]+\/[A-Za-z0-9]{5}\/Project\.toml$/ },
  lockFilesLike("julia", "toml", juliaManifest),
  { kind: "ocaml", files: ["opam"], where: /(?:^|\/)\.opam-switch\/packages\/[^/]+\/opam$/ },
  lockFilesLike("ocaml", "locked", /[^/]\.opam\.locked$/),
];

/** A layer of Windows has its files in `Files`, and the changes of the registry, which lists what is installed, in `Hives`. */
function windowsIn(path: string): string | undefined {
  const isSystem = /^(?:Files\/)?Windows\/System32\/(?:config\/SOFTWARE|kernel32\.dll|ntdll\.dll)$/i.test(path);
  return isSystem || /^Hives\/[A-Za-z]+_Delta$/i.test(path) ? "Windows/" : undefined;
}

/** The description of a package of pkgsrc or of the older tools of FreeBSD. @see https://www.netbsd.org/docs/pkgsrc/ */
const describedByPkgsrc = /(?:^|\/)(?:var\/db\/pkg|pkg\/\.?pkgdb)\/[^/]+\/(?=\+[A-Z_]+$)/;

/**
 * The folder or file of what is installed by the package managers of Slackware (pkgtools, the older ones in `var/log`), Solus (eopkg) and Clear Linux (swupd).
 * @see https://www.slackware.com/config/packages.php
 * @see https://github.com/clearlinux/swupd-client
 */
const databases =
  /^(?:.*\/)?(?:var\/(?:lib\/pkgtools|log)\/packages\/(?=[^/]+-[^/-]+-[^/-]+-[^/-]+$)|var\/lib\/eopkg\/package\/(?=[^/]+\/)|usr\/share\/clear\/bundles\/(?=[^/]+$))/;

function databaseIn(path: string): string | undefined {
  return mayBeDatabase.test(path) ? databases.exec(path)?.[0] : undefined;
}

const mayBeDatabase = /\/(?:packages?|bundles)\//;

/** The layers of images in containerd. */
const containerdStore = "io.containerd.content.v1.content/";

function containerdIn(path: string): string | undefined {
  const at = path.indexOf(containerdStore);
  return at < 0 ? undefined : path.slice(0, at + containerdStore.length);
}

/**
 * The members of an archive of an image: an OCI layout, or what `docker save` and other tools write.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
 * @see https://github.com/moby/docker-image-spec/blob/v1.3.1/v1.2.md
 */
const ofImage =
  /^(?:oci-layout|manifest\.json|blobs\/sha256\/.*|(?:sha256:)?[0-9a-f]{64}(?:\.json|\.tar|\.tar\.gz|\/layer\.tar)?)$/;

/**
 * What shows that there are packages of operating systems or package managers that no ecosystem reads, or an image in the image.
 * @see https://documentation.ubuntu.com/chisel/
 * @see https://spack.readthedocs.io/
 */
export const unreadSystems: readonly EvidenceRule[] = [
  { kind: "dpkg", files: ["manifest.wall"], where: /(?:^|\/)var\/lib\/chisel\/manifest\.wall$/ },
  { kind: "other", folderOf: windowsIn },
  { kind: "other", files: ["local.sqlite"], where: /(?:^|\/)var\/db\/pkg\/local\.sqlite$/ },
  { kind: "other", folderOf: (path) => (path.includes("/+") ? describedByPkgsrc.exec(path)?.[0] : undefined) },
  { kind: "other", folderOf: databaseIn },
  { kind: "other", extensions: ["plist"], where: /(?:^|\/)var\/db\/xbps\/pkgdb-[\d.]+\.plist$/ },
  { kind: "other", files: ["spec.json", "spec.yaml"], where: /(?:^|\/)\.spack\/spec\.(?:json|yaml)$/ },
  { kind: "other", files: ["oci-layout"], unless: inTests },
  { kind: "other", folderOf: containerdIn },
  packedInTar("other", ofImage),
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
  ...unreadSystems,
];

/** The rules of {@link allEvidence}. */
export const allEvidenceRules: EvidenceRules = createEvidenceRules(allEvidence);
