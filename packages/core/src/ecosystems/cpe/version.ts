/**
 * The order of versions in CPE names, whose form depends on the project: numbers followed by letters (`1.1.1n`, `9.2p1`), and prereleases
 * (`3.0.0-rc1`, `3.13.0rc2`, `1.0_beta`).
 *
 * Versions are compared as in rpm, segment by segment. The mark of a prerelease counts as rpm's `~`. The separators `-`, `_`, `+` and `:`
 * count as a dot.
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { malformedVersion } from "../../versions/malformed.ts";
import { type RpmVersion, rpmVersions } from "../rpm/version.ts";

const prerelease = /(\d)[-_.+~]?(?=(?:alpha|beta|dev|pre|preview|rc|snapshot)(?![a-z]))/g;

/** The order of versions in CPE names. */
export const cpeVersions: VersionScheme<RpmVersion> = {
  name: "cpe",
  parse(text) {
    if (!/^v?\d/i.test(text.trim())) throw malformedVersion("a version that begins with a number", text);
    const plain = text.trim().toLowerCase().replace(/^v/, "");
    return rpmVersions.parse(plain.replaceAll(prerelease, "$1~").replaceAll(/[-_+:]/g, "."));
  },
  compare: (a, b) => rpmVersions.compare(a, b),
};
