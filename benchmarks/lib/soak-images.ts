import { randomBytes } from "node:crypto";
import { type BuiltImage, type BuiltLayer, buildImage, buildLayer } from "@plimsoll/testing";
import { debianRelease, dpkgStatus } from "../../tests/support/sample-image.ts";

/** The number of different packages; below, of packages per layer. */
const packages = 400;
const packagesOfLayer = 120;

/** The number of different base layers. */
const baseLayers = 6;

const randomPool = randomBytes(2 * 1024 ** 2);

/** Advisories about every second package: fixed versions by source and CVE, as `loadTracker` accepts them. */
export const soakAdvisories = Object.fromEntries(
  Array.from({ length: packages / 2 }, (_, index) => [
    `source${index * 2}`,
    { [`CVE-2026-${1000 + index}`]: { fixed: "2.0-1" }, [`CVE-2026-${5000 + index}`]: {} },
  ]),
);

/** Base layers with a release and a package database, which images share. */
export function soakBases(): Promise<readonly BuiltLayer[]> {
  const build = (index: number) =>
    buildLayer({
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": statusOf(index * 50),
      "usr/share/base": randomPool.subarray(index * 200_000, index * 200_000 + 200_000),
    });
  return Promise.all(Array.from({ length: baseLayers }, (_, index) => build(index)));
}

/** Creates an image of a base layer and a new layer. @param random returns numbers from 0 to below 1 */
export async function soakImage(bases: readonly BuiltLayer[], random: () => number): Promise<BuiltImage> {
  const base = bases[Math.floor(random() * bases.length)];
  const length = Math.floor(20_000 + random() ** 3 * 1_000_000);
  const from = Math.floor(random() * (randomPool.length - length));
  const own = await buildLayer({
    "var/lib/dpkg/status": statusOf(Math.floor(random() * packages)),
    "app/id": randomBytes(16),
    "app/content": randomPool.subarray(from, from + length),
  });
  return buildImage({ layers: base === undefined ? [own] : [base, own] });
}

function statusOf(from: number): string {
  const numbers = Array.from({ length: packagesOfLayer }, (_, index) => (from + index) % packages);
  return dpkgStatus(...numbers.map((number) => `package${number} 1.${number}-1 source${number}`));
}
