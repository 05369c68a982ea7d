/**
 * The scanner API's `normalized_version`: a kind and ten 32-bit integers, `semver:0.1.2.3.0.0.0.0.0.0`.
 *
 *     semver  0 major minor patch 0 0 0 0 0 0                             prerelease and build are lost
 *     pep440  epoch release{5} pre-stage pre-number post dev              the local version is lost
 *
 * A stage is -3 (a), -2 (b), -1 (rc) or 0 (none); `dev` counts down from 0, except that a development release without
 * stage or post-release puts -2³¹ + dev in the place of the stage. Only for show, see `docs/concepts/versions.md`.
 */

import { findVersion } from "../versions/define-order.ts";
import { golangVersions } from "../versions/golang/version.ts";
import { type Pep440Version, pep440Versions } from "../versions/pep440/version.ts";
import { semverVersions } from "../versions/semver/version.ts";

const length = 10;
const [least, most] = [-(2 ** 31), 2 ** 31 - 1];

/**
 * The normalized form of a version of a scheme (`semver`, `golang`, `pep440`). Undefined for other schemes, for invalid
 * versions, and for numbers of more than 32 bits.
 */
export function findNormalizedVersion(scheme: string, text: string): string | undefined {
  switch (scheme) {
    case "golang": {
      const version = findVersion(golangVersions, text);
      return version && format("semver", [0, ...version.numbers.map(Number)]);
    }
    case "semver": {
      const version = findVersion(semverVersions, text);
      return version && format("semver", [0, version.major, version.minor, version.patch]);
    }
    case "pep440": {
      const version = findVersion(pep440Versions, text);
      return version && format("pep440", pep440Numbers(version));
    }
    default:
      return undefined;
  }
}

function pep440Numbers({ epoch, release, pre, post, dev }: Pep440Version): readonly number[] {
  const five = Array.from({ length: 5 }, (_, index) => Number(release[index] ?? 0));
  const stage = pre === undefined ? 0 : ["a", "b", "rc"].indexOf(pre.stage) - 3;
  const preNumber = Number(pre?.number ?? 0);
  const isDevAlone = dev !== undefined && pre === undefined && post === undefined;
  const tail = isDevAlone ? [least + Number(dev), 0, 0, 0] : [stage, preNumber, Number(post ?? 0), -Number(dev ?? 0)];
  return [Number(epoch), ...five, ...tail];
}

function format(kind: string, numbers: readonly number[]): string | undefined {
  if (numbers.some((number) => !(number >= least && number <= most))) return undefined;
  const zeros = Array.from({ length: length - numbers.length }, () => 0);
  return `${kind}:${[...numbers, ...zeros].join(".")}`;
}
