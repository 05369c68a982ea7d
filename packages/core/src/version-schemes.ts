import { apkVersions } from "./ecosystems/apk/version.ts";
import { dpkgVersions } from "./ecosystems/dpkg/version.ts";
import { pacmanVersions } from "./ecosystems/pacman/version.ts";
import { rpmVersions } from "./ecosystems/rpm/version.ts";
import type { VersionScheme } from "./plugins/version-scheme.ts";
import { bitnamiVersions } from "./versions/bitnami/version.ts";
import { composerVersions } from "./versions/composer/version.ts";
import { conanVersions } from "./versions/conan/version.ts";
import { condaVersions } from "./versions/conda/version.ts";
import { gemVersions } from "./versions/gem/version.ts";
import { golangVersions } from "./versions/golang/version.ts";
import { mavenVersions } from "./versions/maven/version.ts";
import { nugetVersions } from "./versions/nuget/version.ts";
import { numericVersions } from "./versions/numeric/version.ts";
import { pep440Versions } from "./versions/pep440/version.ts";
import { perlVersions } from "./versions/perl/version.ts";
import { pubVersions } from "./versions/pub/version.ts";
import { semverVersions } from "./versions/semver/version.ts";

/** Every version order by its name. A program that needs one order imports its own path, `@plimsoll/core/versions/<name>`. */
export const versionSchemes: Readonly<Record<string, VersionScheme>> = {
  apk: apkVersions,
  dpkg: dpkgVersions,
  rpm: rpmVersions,
  semver: semverVersions,
  pep440: pep440Versions,
  gem: gemVersions,
  maven: mavenVersions,
  golang: golangVersions,
  nuget: nugetVersions,
  composer: composerVersions,
  numeric: numericVersions,
  perl: perlVersions,
  pacman: pacmanVersions,
  bitnami: bitnamiVersions,
  conan: conanVersions,
  conda: condaVersions,
  pub: pubVersions,
};
