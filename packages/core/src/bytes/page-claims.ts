import { malformedPackageDb } from "./malformed-package-db.ts";

/**
 * Hands out each page of a file at most once. In a sound file a page belongs to one tree or one chain only, so this
 * ends loops and keeps the work within the file's size.
 */
export interface PageClaims {
  /** @throws ScanError `malformed_package_db` when the page was claimed before. */
  claim(number: number): void;
}

/** No page claimed yet. */
export function noPageClaims(): PageClaims {
  const claimed = new Set<number>();
  const claim = (number: number): void => {
    if (claimed.has(number)) {
      throw malformedPackageDb(`page ${number} is referred to twice: a loop or a shared page`);
    }
    claimed.add(number);
  };
  return { claim };
}
