import { gzipSync } from "node:zlib";
import { buildTar } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { unassessedKinds } from "../model/index-report.ts";
import { allEcosystems } from "./all.ts";
import { allEvidence, allEvidenceRules, unreadLanguages, unreadSystems } from "./all-evidence.ts";
import { fileOf, indexLayers } from "./language/fixtures/index-layers.ts";

describe("allEvidence", () => {
  it("has the rules of every ecosystem", () => {
    const rules = allEcosystems.flatMap(({ evidence = [] }) => evidence);

    expect(new Set([...rules, ...unreadLanguages, ...unreadSystems])).toEqual(new Set(allEvidence));
  });
});

describe("unassessedKinds", () => {
  // reports are read without any ecosystem, so the words are listed: they are those that ecosystems declare
  it("are the kinds of the rules and those that ecosystems read, and what no rule is about", () => {
    const declared = [
      ...allEvidence.map(({ kind }) => kind),
      ...allEcosystems.flatMap(({ assesses = [] }) => assesses),
    ];

    expect(new Set([...declared, ...withDatabases, "other"])).toEqual(new Set(unassessedKinds));
  });
});

/** Kinds of packages that only a detector of their database reports. */
const withDatabases = ["dpkg", "opkg"] as const;

describe("allEvidenceRules", () => {
  it.each([
    ["opt/app/lib/log4j-core-2.14.1.jar", "java"],
    ["usr/local/tomcat/webapps/ROOT.WAR", "java"],
    ["app/node_modules/lodash/package.json", "npm"],
    ["app/node_modules/@babel/core/package.json", "npm"],
    ["app/lib/a.jar.pack.gz", "java"],
    ["app/lib/A.JAR.PACK.GZ", "java"],
    ["app/package-lock.json", "npm"],
    ["opt/app/resources/app.asar", "npm"],
    ["usr/lib/python3/dist-packages/requests-2.31.0.dist-info/METADATA", "python"],
    ["usr/lib/python3/dist-packages/six.egg-info/PKG-INFO", "python"],
    ["usr/lib/python3/dist-packages/six-1.16.0.egg-info", "python"],
    ["wheels/six-1.16.0-py2.py3-none-any.whl", "python"],
    ["app/run.pex", "python"],
    ["app/run.pyz", "python"],
    ["app/.yarn/cache/lodash-npm-4.17.21-6382451519-eb835a2e51.zip", "npm"],
    ["root/.yarn/berry/cache/lodash-npm-4.17.21-6382451519-10c0.zip", "npm"],
    ["app/offline/@types-node-npm-20.1.0-0123456789-10.zip", "npm"],
    ["srv/poetry.lock", "python"],
    ["srv/paket.lock", "dotnet"],
    ["srv/packages.Api.lock.json", "dotnet"],
    ["srv/pylock.prod.toml", "python"],
    ["srv/UV.LOCK", "python"],
    ["srv/cargo.lock", "rust"],
    ["srv/linux.conda-lock.yml", "conda"],
    ["srv/gemfiles/rails7.gemfile.lock", "ruby"],
    ["srv/settings-gradle.lockfile", "java"],
    ["srv/maven_install.json", "java"],
    ["srv/rules_maven_install.json", "java"],
    ["srv/build.sbt.lock", "java"],
    ["srv/Manifest.toml", "julia"],
    ["srv/JuliaManifest.toml", "julia"],
    ["srv/Manifest-v1.11.toml", "julia"],
    ["srv/libman.json", "npm"],
    ["srv/pixi.lock", "conda"],
    ["srv/flake.lock", "nix"],
    ["srv/buildscript-gradle.lockfile", "java"],
    ["usr/lib/ruby/gems/3.1.0/specifications/rake-13.0.6.gemspec", "ruby"],
    ["usr/lib/ruby/gems/3.1.0/specifications/default/json-2.6.1.gemspec", "ruby"],
    ["srv/Gemfile.lock", "ruby"],
    ["app/service.deps.json", "dotnet"],
    ["var/www/vendor/composer/installed.json", "php"],
    ["src/go.sum", "go"],
    ["src/Cargo.lock", "rust"],
    ["usr/lib/R/library/base/DESCRIPTION", "r"],
    ["app/renv/library/R-4.2/x86_64-pc-linux-gnu/rlang/DESCRIPTION", "r"],
    ["opt/conda/conda-meta/numpy-1.26.4-py311h64a7726_0.json", "conda"],
    ["opt/conda/envs/app/conda-meta/openssl-3.2.1-hd590300_1.json", "conda"],
    ["usr/local/lib/x86_64-linux-gnu/perl/5.36.0/auto/JSON/XS/.packlist", "perl"],
    ["usr/local/lib/luarocks/rocks-5.1/lpeg/1.1.0-1/rock_manifest", "lua"],
    ["usr/local/lib/erlang/lib/kernel-9.2/ebin/kernel.app", "erlang"],
    ["app/rebar.lock", "erlang"],
    ["var/lib/ghc/package.conf.d/base-4.17.conf", "haskell"],
    ["app/stack.yaml.lock", "haskell"],
    ["root/.julia/packages/HTTP/abcde/Project.toml", "julia"],
    ["home/opam/.opam/default/.opam-switch/packages/lwt.5.6.0/opam", "ocaml"],
    ["srv/app.opam.locked", "ocaml"],
    ["var/www/html/bower_components/jquery/.bower.json", "npm"],
    ["root/.stack/snapshots/x86_64-linux/1f/9.2.5/pkgdb/lens-5.0.conf", "haskell"],
    ["app/.dart_tool/package_config.json", "dart"],
    ["app/pubspec.lock", "dart"],
    ["app/Package.resolved", "swift"],
    ["usr/local/lib/php/.registry/.channel.pecl.php.net/redis.reg", "php"],
    ["opt/liferay/osgi/marketplace/x.lpkg", "java"],
    ["root/.conan/data/zlib/1.3/_/_/package/1/conaninfo.txt", "cpp"],
    ["home/linuxbrew/.linuxbrew/Cellar/openssl@3/3.2.1/INSTALL_RECEIPT.json", "homebrew"],
    ["mnt/root/var/lib/pacman/local/zlib-1.3-1/desc", "pacman"],
    ["snap/core20/1234/meta/snap.yaml", "snap"],
    ["var/lib/pacman/local/zlib-1.3-1/desc", "pacman"],
    ["var/db/pkg/sys-libs/zlib-1.3/CONTENTS", "portage"],
    ["nix/var/nix/db/db.sqlite", "nix"],
    ["var/lib/snapd/snaps/core20_1234.snap", "snap"],
    ["opt/bitnami/redis/.spdx-redis.spdx", "bitnami"],
    ["mnt/root/var/lib/rpm/Packages", "rpm"],
    ["opt/rpmdb.sqlite", "rpm"],
    ["mnt/root/lib/apk/db/installed", "apk"],
    ["usr/local/cargo/git/checkouts/foo-0123456789abcdef/0a1b2c3/Cargo.toml", "rust"],
    ["var/lib/chisel/manifest.wall", "dpkg"],
    ["var/db/pkg/local.sqlite", "other"],
    ["opt/spack/linux/gcc/zlib-1.2.11-abc/.spack/spec.json", "other"],
    ["root/.local/share/flatpak/app/org.x/x86_64/stable/abc/metadata", "flatpak"],
    ["images/oci/oci-layout", "other"],
  ])("reports %s as evidence of %s", (path, kind) => {
    expect(allEvidenceRules.find(path)).toBe(kind);
  });

  it.each([
    "var/lib/rpm/Packages",
    "usr/lib/sysimage/rpm/Packages.db",
    "usr/share/rpm/rpmdb.sqlite",
    "lib/apk/db/installed",
    "usr/lib/apk/db/installed",
    "var/lib/apt/lists/Packages",
    "app/package.json",
    "opt/conda/conda-meta/history",
    "app/conda-meta.json",
    "etc/nginx/nginx.conf",
    "Applications/Safari.app",
    "app/Library/DESCRIPTION",
    "app/node_modules/lodash/fp/package.json",
    "app/node_modules/lodash/yarn.lock",
    "usr/lib/python3/dist-packages/a/tests/b.whl",
    "app/node_modules/a/test/fixtures/.yarn/cache/b-npm-1.0.0-0123456789-10.zip",
    "app/data.zip",
    "usr/share/doc/METADATA",
    "src/rake.gemspec",
    "srv/pylock.a.b.toml",
    "srv/config.toml",
    "srv/file.lock",
    "srv/manifest.toml",
    "root/.julia/packages/JSON/93Ea8/Manifest.toml",
    "usr/local/julia/share/julia/test/Manifest.toml",
    "app/node_modules/a/libman.json",
    "app/settings.json",
    ".jar",
    "lib/pack.gz",
    "usr/bin/jar",
    "etc/installed",
    "src/git/Cargo.toml",
    "app/test/oci-layout",
    "app/spec.json",
  ])("ignores %s", (path) => {
    expect(allEvidenceRules.find(path)).toBeUndefined();
  });
});

describe("unreadSystems", () => {
  const tarOf = (...names: readonly string[]) => gzipSync(buildTar(...names.map((name) => fileOf(name, "x"))));

  it.each([
    ["a distribution that is not known", "ID=void\n"],
    ["an image that is built as a whole", "ID=talos\nVERSION_ID=1.8\n"],
  ])("reports the release file of %s, also with packages of a language", async (_, release) => {
    const python = fileOf("usr/lib/python3/site-packages/a-1.dist-info/METADATA", "Name: a\nVersion: 1\n\n");

    const { coverage } = await indexLayers([[fileOf("etc/os-release", release), python]]);

    expect(coverage.status).toBe("partial");
    expect(coverage.unassessed).toMatchObject([{ kind: "other", evidence: [{ path: "etc/os-release" }] }]);
  });

  it.each([
    ["a Windows image", ["Files/Windows/System32/config/SOFTWARE", "Files/Windows/System32/ntdll.dll"], 1],
    ["a layer of Windows", ["Files/app/a.txt", "Hives/Software_Delta"], 1],
    ["a program for Windows", ["opt/wine/Windows/System32/ntdll.dll", "app/kernel32.dll"], 0],
    ["pkgsrc", ["usr/pkg/pkgdb/openssl-1.1.1/+CONTENTS", "usr/pkg/pkgdb/openssl-1.1.1/+DESC"], 1],
    ["older FreeBSD", ["var/db/pkg/openssl-1.1.1/+CONTENTS", "var/db/pkg/zlib-1.3/+CONTENTS"], 2],
    ["XBPS", ["var/db/xbps/pkgdb-0.38.plist", "var/db/xbps/keys/a.plist"], 1],
    ["pkgtools", ["var/lib/pkgtools/packages/bash-5.1-x86_64-1", "var/lib/pkgtools/packages/sed-4.8-x86_64-1"], 1],
    ["older pkgtools", ["var/log/packages/bash-5.1-x86_64-1", "var/log/packages/app.log"], 1],
    ["another log of that folder", ["var/log/packages/app-1.log"], 0],
    ["eopkg", ["var/lib/eopkg/package/bash-5.2-80/metadata.xml", "var/lib/eopkg/package/bash-5.2-80/files.xml"], 1],
    ["swupd", ["usr/share/clear/bundles/os-core", "usr/share/clear/bundles/bash"], 1],
    ["containerd", ["var/lib/containerd/io.containerd.content.v1.content/blobs/sha256/aa"], 1],
    ["docker save", [["images/a.tar.gz", tarOf("l0.tar", "manifest.json")]], 1],
    ["an older docker save", [["images/a.tgz", tarOf(`${"0a".repeat(32)}/layer.tar`)]], 1],
    ["an OCI layout", [["images/a.tar.gz", tarOf("blobs/sha256/0a", "index.json")]], 1],
    ["another tar archive", [["images/a.tar.gz", tarOf("app/manifest.json", "index.json")]], 0],
  ] satisfies [string, (string | [string, Uint8Array])[], number][])("counts %s", async (_, files, count) => {
    const members = files.map((file) => (typeof file === "string" ? fileOf(file, "x") : fileOf(...file)));

    const { coverage } = await indexLayers([members]);

    expect(coverage.unassessed.map(({ kind, count: found }) => [kind, found])).toEqual(
      count === 0 ? [] : [["other", count]],
    );
  });
});
