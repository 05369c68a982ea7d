/** Each file detector reads one good file, and handles any damage to it without an unexpected error. */
import { deflateSync } from "node:zlib";
import { makeZip } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import { FileInspection } from "../layer/file-inspection.ts";
import type { FileDetector } from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import { buildElf, buildMachO, buildPe } from "../programs/fixtures/build-program.ts";
import { allEcosystems } from "./all.ts";
import { buildAssembly } from "./dotnet/fixtures/build-assembly.ts";
import { buildBundle } from "./dotnet/fixtures/build-bundle.ts";
import { pom } from "./java/fixtures/make-jar.ts";
import { nativeImage } from "./java/fixtures/native-image.ts";
import { makeAsar } from "./npm/fixtures/make-asar.ts";
import { makePhar } from "./php/fixtures/make-phar.ts";

const json = (value: object) => Buffer.from(JSON.stringify(value));
const auditable = [
  { name: ".text", content: Buffer.from("code"), address: 0x50_0000, isExecutable: true },
  { name: ".dep-v0", content: deflateSync('{"packages":[{"name":"a","version":"1.0.0","source":"crates.io"}]}') },
];
const metadata = Buffer.from("Name: a\nVersion: 1\n\n");
const bash = Buffer.from("\0@(#)Bash version 5.2.15(1) release GNU\0");

/** A good file of each detector, by the detector's name. */
const samples: Readonly<Record<string, readonly [path: string, content: Uint8Array]>> = {
  "bitnami-components": ["opt/bitnami/.bitnami_components.json", json({ redis: { version: "6.2.6-0" } })],
  "cargo-auditable": ["usr/bin/a", buildElf(auditable)],
  "composer-application": ["a/composer.json", json({ name: "a/b", version: "1.0.0" })],
  "composer-installed": ["a/vendor/composer/installed.json", json({ packages: [{ name: "a/b", version: "1.0.0" }] })],
  "cocoapods-manifest": ["a/Pods/Manifest.lock", Buffer.from("PODS:\n  - A (1.0.0)\n")],
  corepack: [
    "root/.cache/node/corepack/v1/pnpm/8.0.0/.corepack",
    json({ locator: { name: "pnpm", reference: "8.0.0" } }),
  ],
  "conan-info": ["a/data/a/1.0/_/_/package/0/conaninfo.txt", Buffer.from("[settings]\n")],
  "conda-meta": ["opt/conda/conda-meta/a-1-0.json", json({ name: "a", version: "1" })],
  "dart-package-config": [
    "a/.dart_tool/package_config.json",
    json({ packages: [{ name: "a", rootUri: "file:///root/.pub-cache/hosted/pub.dev/a-1.0.0" }] }),
  ],
  "dart-pub-cache": ["root/.pub-cache/hosted/pub.dev/a-1.0.0/pubspec.yaml", Buffer.from("name: a\n")],
  "dotnet-assembly": ["a/a.dll", buildAssembly({ name: "a", texts: { ProductVersion: "1.0.0" } })],
  "dotnet-deps-json": ["a/a.deps.json", json({ libraries: { "A/1.0.0": { type: "package" } } })],
  "embedded-sbom": [
    "a/a.cdx.json",
    json({ bomFormat: "CycloneDX", components: [{ type: "library", name: "a", purl: "pkg:npm/a@1" }] }),
  ],
  "dotnet-bundle": ["a/App", buildBundle(6)],
  "erlang-app": ["a/lib/jiffy-1/ebin/jiffy.app", Buffer.from('{application, jiffy, [{vsn, "1.0"}]}.')],
  "erlang-archive": ["a/jiffy-1.ez", makeZip({ "jiffy-1/ebin/jiffy.app": '{application, jiffy, [{vsn, "1.0"}]}.' })],
  "flatpak-installed": [
    "var/lib/flatpak/app/org.a.A/x86_64/stable/0123/metadata",
    Buffer.from("[Application]\nname=org.a.A\n"),
  ],
  "haskell-package-conf": ["a/package.conf.d/a-1.conf", Buffer.from("name: a\nversion: 1.0\n")],
  "homebrew-cellar": ["home/linuxbrew/.linuxbrew/Cellar/a/1.0/INSTALL_RECEIPT.json", json({})],
  "java-archives": ["a/a.jar", makeZip(pom("g", "a", "1"))],
  "java-unpacked": ["a/META-INF/maven/g/a/pom.properties", Buffer.from("groupId=g\nartifactId=a\nversion=1\n")],
  "known-programs": ["bin/bash", buildElf([{ name: ".rodata", content: bash }])],
  "lua-rock-manifest": ["usr/lib/luarocks/rocks-5.1/a/1.0-1/rock_manifest", Buffer.from("rock_manifest = {}")],
  "native-image-sbom": ["a/app", nativeImage()],
  "npm-package-json": ["a/node_modules/a/package.json", json({ name: "a", version: "1.0.0" })],
  "nuget-folder": ["root/.nuget/packages/a/1.0.0/a.nuspec", Buffer.from("<id>A</id>")],
  "nuget-archive": ["a/a.nupkg", makeZip({ "a.nuspec": "<id>a</id><version>1</version>" })],
  "otp-app": ["usr/lib/erlang/lib/kernel-9.2/ebin/kernel.app", Buffer.from('{application, kernel, [{vsn, "9.2"}]}.')],
  "pacman-local": ["var/lib/pacman/local/a-1-1/desc", Buffer.from("%NAME%\na\n\n%VERSION%\n1-1\n\n")],
  "php-phar": ["a/a.phar", makePhar("PEAR/.registry/a.reg", 'a:2:{s:7:"package";s:1:"a";s:7:"version";s:1:"1";}')],
  "pear-registry": ["a/.registry/a.reg", Buffer.from('a:2:{s:7:"package";s:1:"a";s:7:"version";s:1:"1";}')],
  "perl-metadata": ["a/.meta/A-1/MYMETA.json", json({ name: "A", version: "1" })],
  "perl-packlist": ["usr/lib/perl/5.36/auto/A/.packlist", Buffer.from("/usr/lib/a.pm\n")],
  "portage-installed": ["var/db/pkg/sys-libs/zlib-1.3/CONTENTS", Buffer.from("dir /usr\n")],
  "electron-asar": [
    "a/app.asar",
    makeAsar({ node_modules: { a: { "package.json": JSON.stringify({ name: "a", version: "1.0.0" }) } } }),
  ],
  "python-application": ["a/pyproject.toml", Buffer.from('[project]\nname = "a"\nversion = "1"\n')],
  "python-archive": ["a/a-1.whl", makeZip({ "a-1.dist-info/METADATA": "Name: a\nVersion: 1\n" })],
  "python-sources": ["a/PKG-INFO", metadata],
  "python-metadata": ["a/site-packages/a-1.dist-info/METADATA", metadata],
  "r-description": ["usr/lib/R/library/a/DESCRIPTION", Buffer.from("Package: a\nVersion: 1.0\n")],
  "redhat-container-labels": [
    "root/buildinfo/Dockerfile-a-1-2",
    Buffer.from('LABEL name="a/b" version="1" release="2"\n'),
  ],
  "ruby-gemspec": [
    "usr/lib/ruby/gems/3.1.0/specifications/a-1.0.gemspec",
    Buffer.from('Gem::Specification.new do |s|\n  s.name = "a"\n  s.version = "1.0"\nend\n'),
  ],
  "ruby-application": [
    "a/a.gemspec",
    Buffer.from('Gem::Specification.new do |s|\n  s.name = "a"\n  s.version = "1.0"\nend\n'),
  ],
  "ruby-git-gemspec": [
    "usr/lib/ruby/bundler/gems/a-0123456789ab/a.gemspec",
    Buffer.from('Gem::Specification.new do |s|\n  s.name = "a"\n  s.version = "1.0"\nend\n'),
  ],
  "snap-meta": ["a/meta/snap.yaml", Buffer.from("name: a\nversion: '1'\n")],
  "swift-workspace-state": [
    "a/.build/workspace-state.json",
    json({
      object: {
        dependencies: [
          { packageRef: { location: "https://github.com/a/a" }, state: { checkoutState: { version: "1.0.0" } } },
        ],
      },
    }),
  ],
  "vcpkg-status": [
    "opt/vcpkg/installed/vcpkg/status",
    Buffer.from("Package: a\nVersion: 1\nStatus: install ok installed\n\n"),
  ],
  "yarn-cache": [
    "a/.yarn/cache/a-npm-1.0.0-0123456789-10.zip",
    makeZip({ "node_modules/a/package.json": JSON.stringify({ name: "a", version: "1.0.0" }) }),
  ],
  "zip-archives": ["a/a.zip", makeZip(pom("g", "a", "1"))],
  wordpress: ["a/wp-includes/version.php", Buffer.from("<?php\n$wp_version = '6.4.2';\n")],
};
/** Detectors whose sample needs a linker, or which find no package. Their tests are beside their readers. */
const elsewhere: ReadonlySet<string> = new Set([
  "go-build-information",
  "javascript-program",
  "python-one-file",
  "quarkus-dependencies",
  "ruby-gemfile",
  "yarn-pnp",
]);

const detectors = new Map(
  allEcosystems.flatMap(({ fileDetectors = [] }) => fileDetectors.map((one) => [one.name, one])),
);
const rows = Object.entries(samples).map(([name, [path, content]]) => ({ name, path, content }));

function findingsOf(detector: FileDetector, path: string, bytes: Uint8Array): readonly Finding[] {
  const file = { path, contentPath: path, mode: 0o755, bytes };
  if (detector.opens === undefined) return [...detector.detect(file)];
  const inspection = new FileInspection([...detectors.values()], defaultLimits);
  inspection.inspect({ path, kind: "file", sizeBytes: bytes.length, mode: 0o755 }, file);
  return Object.values(inspection.findings(() => true)).flat();
}

function detectorOf(name: string): FileDetector {
  const detector = detectors.get(name);
  if (detector === undefined) throw new Error(`no detector is named ${name}`);
  return detector;
}

describe("the detectors of single files", () => {
  it("have a row each", () => {
    expect([...Object.keys(samples), ...elsewhere].sort()).toEqual([...detectors.keys()].sort());
  });

  it.each(rows)("$name finds a package in a good file", ({ name, path, content }) => {
    const detector = detectorOf(name);

    const [asked] = pluginsByName([detector])(path);
    const isWanted = asked?.wants({ path, kind: "file", sizeBytes: content.length, mode: 0o755 });
    expect(isWanted || detector.programs !== undefined).toBe(true);
    const kinds = findingsOf(detector, path, content).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== "listing" && kind !== "details")).toEqual(["package"]);
  });

  const damages = fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 6 });
  it.each(rows)("$name throws only ScanError, whatever bytes are damaged or missing", ({ name, path, content }) => {
    const detector = detectorOf(name);
    fc.assert(
      fc.property(damages, fc.double({ min: 0, max: 1, noNaN: true }), (changes, share) => {
        const damaged = Uint8Array.from(content);
        for (const [at, value] of changes) damaged[at % Math.max(1, damaged.length)] = value;
        try {
          const found = findingsOf(detector, path, damaged.subarray(0, Math.ceil(damaged.length * share)));
          for (const { kind } of found) expect(["package", "problem", "evidence", "listing"]).toContain(kind);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  const offsets = fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1);
  const programs = fc.constantFrom(buildElf(auditable), buildPe(auditable), buildMachO(auditable));
  it("read programs with hostile offsets in every word of their heads", () => {
    const detector = detectorOf("cargo-auditable");
    fc.assert(
      fc.property(programs, fc.array(fc.tuple(fc.nat(120), offsets), { minLength: 1, maxLength: 4 }), (file, words) => {
        const hostile = Buffer.from(file);
        for (const [at, value] of words) hostile.writeUInt32LE(value, at * 4);
        try {
          expect(findingsOf(detector, "usr/bin/a", hostile).length).toBeLessThan(10);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 12, numRuns: 1000 },
    );
  });

  it("read assemblies with hostile offsets and sizes in every word of their heads, metadata and resources", () => {
    const detector = detectorOf("dotnet-assembly");
    const sound = buildAssembly({ name: "a", texts: { ProductVersion: "1.0.0" } });
    const places = fc.oneof(
      ...[0, sound.indexOf("BSJB") - 256, sound.indexOf("BSJB"), 0x1000 + 0x8000].map((from) =>
        fc.nat(160).map((word) => from + word * 2),
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(places, offsets), { minLength: 1, maxLength: 4 }), (words) => {
        const hostile = Buffer.from(sound);
        for (const [at, value] of words) hostile.writeUInt32LE(value, at);
        try {
          expect(findingsOf(detector, "a/a.dll", hostile).length).toBeLessThan(2);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 12, numRuns: 2000 },
    );
  });

  it.each([
    ["a package.json of 100 MB", "npm-package-json", 100 * 1024 ** 2],
    ["installed.json of 100 MB", "composer-installed", 100 * 1024 ** 2],
    ["deps.json of 100 MB", "dotnet-deps-json", 100 * 1024 ** 2],
  ])("refuse %s without reading it", (_, name, length) => {
    const [path] = samples[name] ?? [""];
    const parts = { length, subarray: () => expect.unreachable("no part is read") };
    const bytes = new Uint8Array(0);

    const found = () => [...detectorOf(name).detect({ path, contentPath: path, mode: 0o644, bytes, parts })];
    expect(found).toThrow("expected at most");
  });

  it("read a bill of materials whose components refer to each other in a circle", () => {
    const [path] = samples["embedded-sbom"] ?? [""];
    const component = (name: string) => ({ type: "library", "bom-ref": name, name, purl: `pkg:npm/${name}@1` });
    const dependencies = [
      { ref: "a", dependsOn: ["b"] },
      { ref: "b", dependsOn: ["a", "b"] },
    ];
    const circle = json({ bomFormat: "CycloneDX", components: [component("a"), component("b")], dependencies });

    expect(findingsOf(detectorOf("embedded-sbom"), path, circle)).toHaveLength(2);
  });
});
