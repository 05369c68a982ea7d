import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

const keyOf = keyByVersion("ubuntu", "minor");

/**
 * Ubuntu. Its derivatives (Mint, Pop!_OS, elementary) number their releases differently or replace packages. Advisories with
 * fixes for subscribers of Ubuntu Pro have separate keys: `ubuntu:16.04:esm-infra`.
 */
export const ubuntu: KnownDistribution = {
  did: "ubuntu",
  names: ["Ubuntu"],
  packaging: "dpkg",
  maker: "Ubuntu Linux",
  advisoryKey: ({ versionId, versionCodeName = "" }, repositories) =>
    keyOf({ versionId: versionId ?? ubuntuReleases.get(versionCodeName) ?? "" }, repositories),
  listsUnfixed: true,
  osv: { ecosystem: "Ubuntu", kind: "SOURCE", keyOf: osvKeyBy("ubuntu", /^(\d+\.\d+)(?::LTS)?$/) },
  endOfLife: {
    "12.04": "2017-04-28",
    "14.04": "2019-04-25",
    "16.04": "2021-04-30",
    "18.04": "2023-05-31",
    "18.10": "2019-07-18",
    "19.04": "2020-01-23",
    "19.10": "2020-07-06",
    "20.04": "2025-05-31",
    "20.10": "2021-07-22",
    "21.04": "2022-01-20",
    "21.10": "2022-07-14",
    "22.04": "2027-04-01",
    "22.10": "2023-07-20",
    "23.04": "2024-01-20",
    "23.10": "2024-07-12",
    "24.04": "2029-05-31",
    "24.10": "2025-07-10",
    "25.04": "2026-01-17",
    "25.10": "2026-07-01",
    "26.04": "2031-04-30",
  },
};

/** Ubuntu's releases by code name, as in package URLs of its own feeds and of OSV-SCALIBR. @see https://ubuntu.com/about/release-cycle */
export const ubuntuReleases: ReadonlyMap<string, string> = new Map([
  ["trusty", "14.04"],
  ["xenial", "16.04"],
  ["bionic", "18.04"],
  ["focal", "20.04"],
  ["groovy", "20.10"],
  ["hirsute", "21.04"],
  ["impish", "21.10"],
  ["jammy", "22.04"],
  ["kinetic", "22.10"],
  ["lunar", "23.04"],
  ["mantic", "23.10"],
  ["noble", "24.04"],
  ["oracular", "24.10"],
  ["plucky", "25.04"],
  ["questing", "25.10"],
  ["resolute", "26.04"],
]);
