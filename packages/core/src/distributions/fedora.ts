import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Fedora. */
export const fedora: KnownDistribution = {
  did: "fedora",
  names: ["Fedora"],
  cpe: ["fedoraproject:fedora"],
  packaging: "rpm",
  vendorTags: ["fedora project"],
  hasModules: true,
  advisoryKey: keyByVersion("fedora", "major"),
  endOfLife: {
    "25": "2017-12-12",
    "26": "2018-05-29",
    "27": "2018-11-30",
    "28": "2019-05-28",
    "29": "2019-11-26",
    "30": "2020-05-26",
    "31": "2020-11-24",
    "32": "2021-05-25",
    "33": "2021-11-30",
    "34": "2022-06-07",
    "35": "2022-12-13",
    "36": "2023-05-16",
    "37": "2023-12-05",
    "38": "2024-05-21",
    "39": "2024-11-26",
    "40": "2025-05-13",
    "41": "2025-12-15",
    "42": "2026-05-13",
    "43": "2026-12-09",
  },
};
