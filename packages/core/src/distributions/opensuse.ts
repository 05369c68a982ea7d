import type { KnownDistribution } from "./shared/known-distribution.ts";

/** openSUSE before Leap and Tumbleweed. No feed has advisories for its packages. */
export const opensuse: KnownDistribution = {
  did: "opensuse",
  names: ["openSUSE"],
  packaging: "rpm",
  vendorTags: ["opensuse"],
  endOfLife: {
    "13.1": "2016-02-03",
    "13.2": "2017-01-17",
    "42.1": "2017-05-17",
    "42.2": "2018-01-26",
    "42.3": "2019-07-01",
  },
};
