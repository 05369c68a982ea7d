import { apkVersions } from "./ecosystems/apk/version.ts";
import { nugetVersions } from "./ecosystems/dotnet/version.ts";
import { dpkgVersions } from "./ecosystems/dpkg/version.ts";
import { golangVersions } from "./ecosystems/go/version.ts";
import { mavenVersions } from "./ecosystems/java/version.ts";
import { semverVersions } from "./ecosystems/npm/version.ts";
import { composerVersions } from "./ecosystems/php/version.ts";
import { pep440Versions } from "./ecosystems/python/version.ts";
import { rpmVersions } from "./ecosystems/rpm/version.ts";
import { gemVersions } from "./ecosystems/ruby/version.ts";
import type { VersionScheme } from "./plugins.ts";

/** Every version order by its name. Who needs one imports its own path, `@plimsoll/core/versions/<name>`. */
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
};
