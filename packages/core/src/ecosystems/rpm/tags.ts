/**
 * The header tags that are read, with rpm's numbers.
 * @see https://github.com/rpm-software-management/rpm/blob/rpm-4.18.0-release/include/rpm/rpmtag.h
 */
export const rpmTags = {
  sigMd5: 261,
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  vendor: 1011,
  license: 1014,
  arch: 1022,
  /** Whole paths, in packages of rpm 3 and older. */
  oldFilenames: 1027,
  sourceRpm: 1044,
  dirIndexes: 1116,
  baseNames: 1117,
  dirNames: 1118,
  modularityLabel: 5096,
} as const;
