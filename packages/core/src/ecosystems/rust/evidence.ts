import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/**
 * Cargo's cache of sources: `registry/src/INDEX/NAME-VERSION/` unpacked, `registry/cache/INDEX/NAME-VERSION.crate` packed.
 * @see https://doc.rust-lang.org/cargo/guide/cargo-home.html
 */
const inCache = /(?:^|\/)registry\/(?:src|cache)\/[^/]+\/([^/]+)(?:\/|$)/;

function crateOf(path: string): EvidencePackage | undefined {
  const [, crate = ""] = (path.includes("registry/") && inCache.exec(path)) || [];
  const plain = crate.endsWith(".crate") ? crate.slice(0, -".crate".length) : crate;
  const at = plain.search(/-\d+\.\d+\.\d/);
  return at <= 0 ? undefined : { name: plain.slice(0, at), version: plain.slice(at + 1) };
}

/** A crate once, whether it is there packed, unpacked or both. */
function cachedCrate(path: string): string | undefined {
  const found = crateOf(path);
  return found && `registry/${found.name}-${found.version}/`;
}

/** A crate that `cargo vendor` has copied: `vendor/NAME/`, or `vendor/NAME-VERSION/`. Sources of distributions and of Rust itself have such files too. */
function vendoredAs(path: string): EvidencePackage {
  const folder = path.split("/").at(-2) ?? "";
  const at = folder.search(/-\d+\.\d+\.\d/);
  return at <= 0 ? { name: folder, version: "" } : { name: folder.slice(0, at), version: folder.slice(at + 1) };
}

/** What shows that there are packages of Rust, besides the lists in programs. */
export const rustEvidence: readonly EvidenceRule[] = [
  { kind: "rust", mark: "rust" },
  { kind: "rust", folderOf: cachedCrate, packageOf: crateOf },
  {
    kind: "rust",
    files: [".cargo-checksum.json"],
    unless: /(?:^|\/)(?:registry|rustlib\/src)\/|^usr\/src\//,
    packageOf: vendoredAs,
  },
  // a repository that Cargo has checked out: its folder has the name of the repository, and no version
  { kind: "rust", files: ["Cargo.toml"], where: /(?:^|\/)git\/checkouts\/[^/]+\/[0-9a-f]+\/Cargo\.toml$/ },
  lockFilesNamed("rust", "Cargo.lock"),
];
