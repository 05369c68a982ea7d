import { allDistributions } from "../../distributions/all.ts";
import { apkVersions } from "../../ecosystems/apk/version.ts";
import { dpkgVersions } from "../../ecosystems/dpkg/version.ts";
import { pacmanVersions } from "../../ecosystems/pacman/version.ts";
import { rpmVersions } from "../../ecosystems/rpm/version.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { bitnamiVersions } from "../../versions/bitnami/version.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { conanVersions } from "../../versions/conan/version.ts";
import { condaVersions } from "../../versions/conda/version.ts";
import { gemVersions } from "../../versions/gem/version.ts";
import { golangVersions } from "../../versions/golang/version.ts";
import { mavenVersions } from "../../versions/maven/version.ts";
import { nugetVersions } from "../../versions/nuget/version.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { pep440Versions } from "../../versions/pep440/version.ts";
import { pubVersions } from "../../versions/pub/version.ts";
import { semverVersions } from "../../versions/semver/version.ts";

const ofPackaging: Readonly<Record<string, VersionScheme>> = {
  apk: apkVersions,
  dpkg: dpkgVersions,
  pacman: pacmanVersions,
  rpm: rpmVersions,
};

/** Version schemes by the names of OSV ecosystems without releases. */
const orders: ReadonlyMap<string, VersionScheme> = new Map<string, VersionScheme>([
  ...allDistributions.flatMap(({ osv, packaging }) =>
    [osv ?? []].flat().flatMap(({ ecosystem }) => {
      const order = ofPackaging[packaging];
      return order === undefined ? [] : [[ecosystem, order] as const];
    }),
  ),
  ["Bitnami", bitnamiVersions],
  ["CRAN", numericVersions],
  ["ConanCenter", conanVersions],
  ["Go", golangVersions],
  ["Hackage", numericVersions],
  ["Hex", semverVersions],
  ["Maven", mavenVersions],
  ["NuGet", nugetVersions],
  ["Packagist", composerVersions],
  ["Pub", pubVersions],
  ["PyPI", pep440Versions],
  ["RubyGems", gemVersions],
  ["SwiftURL", semverVersions],
  ["crates.io", semverVersions],
  ["conda", condaVersions],
  ["npm", semverVersions],
]);

/** Whether the packages of an OSV ecosystem (`PyPI`, without a release) are matched, so that its records can be of use. */
export function isKnownOsvEcosystem(family: string): boolean {
  return orders.has(family);
}

/** The version scheme of an OSV ecosystem (`PyPI`, without a release); rpm's for an unknown one, which accepts nearly every text. */
export function osvVersionOrder(family: string): VersionScheme {
  return orders.get(family) ?? rpmVersions;
}
