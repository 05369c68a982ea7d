/**
 * The order of rpm package versions (EVR).
 *
 * ```
 * version = [epoch ":"] version ["-" release]
 * epoch   = digits          directly before a colon; absent is 0
 * release = text            after the last hyphen
 * ```
 * All characters other than ASCII letters, digits, `~` and `^` are separators. A missing release is lower than any release.
 *
 * @see https://rpm-software-management.github.io/rpm/man/rpm-version.7
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../../versions/define-order.ts";
import { digitsEnd } from "../../versions/digits.ts";
import { malformedVersion } from "../../versions/malformed.ts";
import { asStated, compareVersionRelease } from "./compare-version-release.ts";

/** The parts of an EVR. */
export interface RpmVersion {
  readonly epoch: number;
  readonly version: string;
  readonly release?: string;
}

const maxEpoch = 2 ** 32 - 1;

/**
 * Reads an EVR as rpm does; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { epoch, version, release } = parse("1:3.0.7-25.el9_3");
 */
export function parse(text: string): RpmVersion {
  const trimmed = text.trim();
  const colon = digitsEnd(trimmed, 0);
  const hasEpoch = trimmed.charAt(colon) === ":";
  const versionStart = hasEpoch ? colon + 1 : 0;
  const hyphen = trimmed.lastIndexOf("-");
  const epoch = hasEpoch ? Number(trimmed.slice(0, colon)) : 0;
  const version = trimmed.slice(versionStart, hyphen >= versionStart ? hyphen : undefined);

  if (epoch > maxEpoch) throw malformedVersion("an rpm epoch of at most 32 bits", text);
  if (version === "" || hasBlank(trimmed)) throw malformedVersion("[epoch:]version[-release] of an rpm", text);
  return hyphen >= versionStart ? { epoch, version, release: trimmed.slice(hyphen + 1) } : { epoch, version };
}

function hasBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 0x20) return true;
  return false;
}

function compareVersions(a: RpmVersion, b: RpmVersion): Order {
  return orderOf(a.epoch, b.epoch) || compareVersionRelease(a, b);
}

/**
 * A bound without a release is about every release of the version, as in rpm's own requirements: up to `1.2.3` includes `1.2.3-4.el9`.
 * @see https://rpm-software-management.github.io/rpm/manual/dependencies.html
 */
function compareStated(installed: RpmVersion, stated: RpmVersion): Order {
  return compareVersions(asStated(installed, stated), stated);
}

/** The order of rpm package versions. */
export const rpmVersions: VersionScheme<RpmVersion> = {
  name: "rpm",
  parse,
  compare: compareVersions,
  compareStated,
};

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("3.0.7-25.el9_3", "1:3.0.7-24.el9"); // -1
 * valid("3.0.7-25.el9_3"); // true
 */
export const { compare, valid } = defineOrder(rpmVersions);
