import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "./fixtures/index-layers.ts";

const json = (value: object) => JSON.stringify(value);
const perlLib = "usr/local/lib/perl5/site_perl/5.36.0/x86_64-linux";
const hosted = "file:///root/.pub-cache/hosted/pub.dev";

const podfile = `PODS:
  - AFNetworking/NSURLSession (4.0.1):
    - AFNetworking/Security
  - "AFNetworking/Security+x (4.0.1)"
  - Local (1.0)

EXTERNAL SOURCES:
  Local:
    :path: "../Local"
`;

describe("the detectors of languages with small descriptions", () => {
  it.each([
    [
      "R",
      "usr/lib/R/site-library/rlang/DESCRIPTION",
      "Package: rlang\nVersion: 1.0-6\nTitle: Functions\nBuilt: R 4.2.2\n",
      "rlang 1.0-6 (cran)",
    ],
    [
      "R by renv",
      "app/renv/library/R-4.2/x86_64-pc-linux-gnu/cli/DESCRIPTION",
      "Title: a\n  Package: x\nVersion: 3.6.1\r\nPackage: cli\r\n",
      "cli 3.6.1 (cran)",
    ],
    [
      "R in the cache of renv",
      "root/.cache/R/renv/cache/v5/R-4.3/x/readxl/1.0.0/1f/readxl/DESCRIPTION",
      "Package: readxl\nVersion: 1.0.0\nBuilt: R 4.3.0; ; ; unix\n",
      "readxl 1.0.0 (cran)",
    ],
    [
      "Haskell in a database of Stack",
      "root/.stack/snapshots/x86_64-linux/1f/9.2.5/pkgdb/lens-5.0.conf",
      "name: lens\nversion: 5.0\n",
      "lens 5.0 (hackage)",
    ],
    ["R without a version", "usr/lib/R/library/base/DESCRIPTION", "Package: base\n", "base  (cran)"],
    [
      "Lua",
      "usr/local/lib/luarocks/rocks-5.1/lpeg/1.1.0-1/rock_manifest",
      "rock_manifest = {}",
      "lpeg 1.1.0-1 (luarocks)",
    ],
    ["Lua of one version", "usr/share/lua/rocks/say/1.4-3/rock_manifest", "", "say 1.4-3 (luarocks)"],
    [
      "Haskell",
      "var/lib/ghc/package.conf.d/base-4.17.conf",
      "name: base\nversion: 4.17.2.0\nid: base-4.17\n",
      "base 4.17.2.0 (hackage)",
    ],
    [
      "Haskell by Cabal",
      "root/.cabal/store/ghc-9.4.7/package.db/aeson-2.1-a1.conf",
      "name:                 aeson\nversion:              2.1.2.1\nvisibility: public\n",
      "aeson 2.1.2.1 (hackage)",
    ],
    [
      "conda",
      "opt/conda/conda-meta/openssl-3.2.1-hd590300_1.json",
      json({ name: "openssl", version: "3.2.1" }),
      "openssl 3.2.1 (conda)",
    ],
    [
      "Dart",
      "app/.dart_tool/package_config.json",
      json({
        configVersion: 2,
        packages: [
          { name: "http", rootUri: `${hosted}/http-0.13.5`, packageUri: "lib/" },
          { name: "app", rootUri: "../" },
          { name: "path_only", rootUri: "file:///srv/path_only-1.0.0" },
          { name: "other", rootUri: `${hosted}/another-1.0.0` },
          7,
        ],
      }),
      "http 0.13.5 (pub)",
    ],
    [
      "Dart, a build",
      ".dart_tool/package_config.json",
      json({ packages: [{ name: "args", rootUri: `${hosted}/args-2.0.0-dev.1%2B4/` }] }),
      "args 2.0.0-dev.1+4 (pub)",
    ],
    ["Dart, a cache", "root/.pub-cache/hosted/pub.dev/args-2.0.0-dev.1+4/pubspec.yaml", "", "args 2.0.0-dev.1+4 (pub)"],
    [
      "Dart, a cache of Git",
      `root/.pub-cache/git/http-${"0a".repeat(20)}/pubspec.yaml`,
      "name: http\nversion: 0.13.5\nenvironment:\n  sdk: '>=2.14.0'\n",
      "http 0.13.5 (pub)",
    ],
    [
      "Swift",
      "src/.build/workspace-state.json",
      json({
        object: {
          dependencies: [
            {
              packageRef: { identity: "swift-nio", location: "https://github.com/Apple/swift-nio.git" },
              state: { checkoutState: { revision: "a", version: "2.41.0" }, name: "sourceControlCheckout" },
            },
            { packageRef: { location: "/src/local" }, state: { name: "fileSystem" } },
          ],
        },
        version: 6,
      }),
      "github.com/apple/swift-nio 2.41.0 (swift)",
    ],
    [
      "Swift before 5.6",
      "src/.build/workspace-state.json",
      json({
        object: {
          dependencies: [
            {
              packageRef: { kind: "remote", name: "a", path: "git@github.com:x/a.git" },
              state: { checkoutState: { revision: "a", version: "1.0.0" }, name: "checkout" },
            },
          ],
        },
        version: 2,
      }),
      "github.com/x/a 1.0.0 (swift)",
    ],
    ["CocoaPods", "app/ios/Pods/Manifest.lock", podfile, "AFNetworking 4.0.1 (cocoapods)"],
    [
      "Conan 1",
      "root/.conan/data/zlib/1.2.13/_/_/package/5ab84d6acfe1f23c4fae0ab88f26e3a396351ac9/conaninfo.txt",
      "[settings]\n\n[full_requires]\n\n[recipe_hash]\n    a\n",
      "zlib 1.2.13 (conan)",
    ],
    ["Conan, deployed", "srv/full_deploy/host/zlib/1.2.13/Release/x86_64/conaninfo.txt", "", "zlib 1.2.13 (conan)"],
    ["Conan, deployed without a version", "srv/direct_deploy/zlib/conaninfo.txt", "", "zlib  (conan)"],
    [
      "Conan 1 in a project",
      "app/conaninfo.txt",
      "[requires]\n    zlib/1.2.Z\n[full_requires]\n    zlib/1.2.13:5ab84d6acfe1\n",
      "zlib 1.2.13 (conan)",
    ],
    ["Perl", `${perlLib}/auto/JSON/XS/.packlist`, "/usr/local/lib/perl5/JSON/XS.pm\n", "JSON-XS  (cpan)"],
    [
      "Perl by cpanminus",
      `${perlLib}/.meta/Try-Tiny-0.31/MYMETA.json`,
      json({ name: "Try-Tiny", version: "0.31" }),
      "Try-Tiny 0.31 (cpan)",
    ],
    [
      "Perl with a number",
      `${perlLib}/.meta/A-1/MYMETA.json`,
      json({ name: "A::B", version: 1.25 }),
      "A-B 1.25 (cpan)",
    ],
  ])("find packages of %s", async (_, path, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([`${expected} ${path}`]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [], problems: [] });
  });

  it.each([
    ["R", "srv/library/a/DESCRIPTION", "Version: 1\n", "expected the name of an R package"],
    ["Haskell", "var/lib/ghc/package.conf.d/a.conf", "", "expected the name of a Haskell package"],
    ["conda", "opt/conda/conda-meta/a.json", "[]", "expected the name of a conda package"],
    ["conda, truncated", "opt/conda/conda-meta/a.json", "{", "expected JSON"],
    ["Dart", ".dart_tool/package_config.json", "", "expected a JSON document"],
    ["Perl", `${perlLib}/.meta/A-1/MYMETA.json`, "{}", "expected the name of a Perl distribution"],
    ["a name that cannot be shown", "srv/library/a/DESCRIPTION", "Package: a\u0007\n", "expected a short word"],
  ])("make a problem of a malformed description: %s", async (_, path, content, message) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([]);
    expect(listProblems(report)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    "srv/package/DESCRIPTION",
    "usr/share/lua/5.1/rock_manifest",
    "opt/conda/pkgs/a/info/index.json",
    "etc/haskell.conf",
    "usr/lib/perl5/META.json",
  ])("ignore %s", async (path) => {
    const report = await indexLayers([[fileOf(path, "{")]]);

    expect([listPackages(report), listProblems(report)]).toEqual([[], []]);
  });

  it.each([
    [
      "a Swift package at a commit",
      "src/.build/workspace-state.json",
      json({
        object: {
          dependencies: [
            {
              packageRef: { location: "https://github.com/x/a" },
              state: { checkoutState: { branch: "main", revision: "a" }, name: "sourceControlCheckout" },
            },
          ],
        },
      }),
      "swift",
    ],
    [
      "a Dart package in a folder of a repository",
      "app/.dart_tool/package_config.json",
      json({ packages: [{ name: "a", rootUri: `file:///root/.pub-cache/git/x-${"0a".repeat(20)}/pkgs/a/` }] }),
      "dart",
    ],
    ["a Conan package of an unknown name", "opt/zlib/conaninfo.txt", "[settings]\nos=Linux\n", "cpp"],
    ["a package that the database of Conan's cache does not name", "root/.conan2/p/b/zliba/p/conaninfo.txt", "", "cpp"],
  ])("leave %s unassessed", async (_, path, content, kind) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([]);
    expect(report.coverage).toMatchObject({
      status: "partial",
      unassessed: [{ kind, count: 1, evidence: [{ path }] }],
    });
  });

  it.each([
    [
      "pubspec.lock",
      "app/pubspec.lock",
      "packages:\n  a:\n    source: hosted\n    version: 1.0.0\n",
      "dart",
      "root/.pub-cache/hosted/pub.dev/a-1.0.0/pubspec.yaml",
    ],
    ["Podfile.lock", "app/Podfile.lock", podfile, "swift", "app/Pods/Manifest.lock"],
  ])("read the packages of a %s only where they are installed", async (_, lock, content, kind, installed) => {
    const alone = await indexLayers([[fileOf(lock, content)]]);
    const both = await indexLayers([[fileOf(lock, content), fileOf(installed, podfile)]]);

    expect(alone.coverage.unassessed).toMatchObject([{ kind, evidence: [{ path: lock }] }]);
    expect(both.coverage.unassessed).toEqual([]);
  });

  it("list a distribution of Perl modules once if its version is known", async () => {
    const meta = fileOf(`${perlLib}/.meta/JSON-XS-4.03/MYMETA.json`, json({ name: "JSON-XS", version: "4.03" }));
    const lists = ["JSON/XS", "Types/Serialiser"].map((name) => fileOf(`${perlLib}/auto/${name}/.packlist`, ""));

    const report = await indexLayers([[meta, ...lists]]);

    expect(listPackages(report).map((line) => line.split(" (")[0])).toEqual(["JSON-XS 4.03", "Types-Serialiser "]);
  });

  it("count the list of Perl's own files as unassessed", async () => {
    const { coverage } = await indexLayers([[fileOf("usr/local/lib/perl5/5.36.0/x86_64-linux/.packlist", "")]]);

    expect(coverage.unassessed).toMatchObject([{ kind: "perl", count: 1 }]);
  });
});
