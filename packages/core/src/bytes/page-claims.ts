import { malformedPackageDb } from "./malformed-package-db.ts";

/**
 * Allows each page of a file to be read once. In a valid file a page belongs to one tree or one chain only, so this
 * ends loops and limits the work to the size of the file.
 */
export interface PageClaims {
  /** @throws ScanError `malformed_package_db` when the page was claimed before. */
  claim(number: number): void;
}

/** Claims for a file of which no page has been read yet. */
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
