/** Real images: the packages of the operating system are those that the distribution's own tools list. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fromArchive, type IndexedImage, index } from "@plimsoll/scanner";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";

const corpus = findCorpus();
const images = corpus === undefined ? "" : join(corpus, "data", "images");
const builtImages = process.env.PLIMSOLL_TEST_IMAGES ?? "";
const webImage = join(builtImages, "debian-bookworm-web.tar");

interface DpkgFact {
  readonly name: string;
  readonly version: string;
  readonly arch: string;
  readonly source: string;
  readonly sourceVersion: string;
  readonly installed: boolean;
}

interface ApkFact {
  readonly name: string;
  readonly version: string;
  readonly arch: string;
  readonly origin: string;
}

interface Facts {
  readonly os: string;
  readonly architecture: string;
  readonly os_release: Readonly<Record<string, string>> | null;
  readonly dpkg?: { readonly packages: readonly DpkgFact[] };
  readonly apk?: { readonly packages: readonly ApkFact[] };
}

const dpkgLine = ({ name, version, arch, source, sourceVersion }: DpkgFact) =>
  [name, version, arch, source, sourceVersion].join(" ");
const apkLine = ({ name, version, arch, origin }: ApkFact) => [name, version, arch, origin, version].join(" ");

/** `name version arch source source-version` of every package in a database that matches, sorted. */
function packageLines({ report }: IndexedImage, database: RegExp): string[] {
  return Object.values(report.packages)
    .filter(({ id }) => report.environments[id]?.some(({ packageDb }) => database.test(packageDb)))
    .map(({ name, version, arch, source }) => [name, version, arch, source?.name, source?.version].join(" "))
    .sort();
}

function readFacts(file: string): Facts {
  return JSON.parse(readFileSync(file, "utf8"));
}

describe.skipIf(corpus === undefined)("index of real images", () => {
  const archives = globSync(`${images}/*/*.facts.json`)
    .map((facts) => ({ facts, archive: facts.replace(".facts.json", ".tar") }))
    .filter(({ archive }) => existsSync(archive))
    .map((each) => ({ ...each, name: basename(each.archive) }));

  it.each(archives)("$name lists what the distribution's tools list", async ({ facts: file, archive }) => {
    const facts = readFacts(file);

    const { os, architecture } = facts;
    const image = await index(fromArchive(archive), { preferredPlatform: { os, architecture } });

    expect(packageLines(image, /dpkg\/status$/)).toEqual(
      (facts.dpkg?.packages ?? [])
        .filter(({ installed }) => installed)
        .map(dpkgLine)
        .sort(),
    );
    if (facts.apk !== undefined) {
      expect(packageLines(image, /apk\/db\/installed$/)).toEqual(facts.apk.packages.map(apkLine).sort());
    }
    expect(image.report.coverage.problems).toEqual([]);
    const release = Object.values(image.report.distributions).at(-1);
    expect(release?.did).toBe(facts.os_release?.ID);
    expect(release?.versionId).toBe(facts.os_release?.VERSION_ID);
  });

  it("lists the packages of a distroless image", async () => {
    const folder = join(images, "debian-bookworm-distroless");
    const { packages } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));

    const image = await index(fromArchive(join(folder, "debian-bookworm-distroless.tar")));

    expect(packageLines(image, /dpkg\/status\.d\//)).toEqual(packages.map(dpkgLine).sort());
  });

  it("lists what is installed in the odd image", async () => {
    const folder = join(images, "odd-visible");
    const expected: { readonly dpkg_installed: readonly (readonly string[])[] } = JSON.parse(
      readFileSync(join(folder, "expected.json"), "utf8"),
    );

    const { report } = await index(fromArchive(join(folder, "odd-visible.tar")));

    const installed = Object.values(report.packages).map(({ name, version }) => `${name} ${version}`);
    expect(installed.sort()).toEqual(expected.dpkg_installed.map((each) => each.join(" ")).sort());
  });

  it("indexes all platforms of a multi-platform archive", async () => {
    const archive = join(images, "alpine-3.20.3-multiarch", "alpine-3.20.3-multiarch.tar");
    const platforms: string[] = [];

    for (const architecture of ["amd64", "arm", "s390x"]) {
      const { platform } = await index(fromArchive(archive), { platform: { os: "linux", architecture } });
      platforms.push(platform?.architecture ?? "");
    }

    expect(platforms).toEqual(["amd64", "arm", "s390x"]);
  });
});

describe.skipIf(!existsSync(webImage))("index of the large Debian image (PLIMSOLL_TEST_IMAGES)", () => {
  it("lists what dpkg lists, with removals and upgrades of later layers", async () => {
    const { packages } = JSON.parse(readFileSync(join(dirname(webImage), "debian-bookworm-web.expected.json"), "utf8"));

    const image = await index(fromArchive(webImage));

    expect(packageLines(image, /dpkg\/status$/)).toEqual(
      packages
        .filter(({ installed }: DpkgFact) => installed)
        .map(dpkgLine)
        .sort(),
    );
  });
});
