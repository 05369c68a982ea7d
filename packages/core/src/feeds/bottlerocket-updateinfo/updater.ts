import type { Updater } from "../../plugins/updater.ts";
import type { UpdateNames } from "../updateinfo/update.ts";
import { updateinfoUpdater } from "../updateinfo/updater.ts";

/**
 * Imports Bottlerocket's advisories: its `updateinfo.xml`, or a folder with such documents. Those until 2024 name the first fixed version of
 * Bottlerocket with the release 0, which stands for every build of it.
 * @see https://bottlerocket.dev/en/os/latest/#/concepts/variants/#security-advisories
 */
export const bottlerocketUpdater: Updater = updateinfoUpdater({
  location: "https://advisories.bottlerocket.aws/updateinfo.xml.gz",
  scope: { partBytes: { bottlerocket: 0 }, sharedBytes: 1e6 },
  vendor: { updater: "bottlerocket", ecosystemOf, listsOneArch: false, anyRelease: "0" },
  findRepositories: async () => [],
});

/** `BRSA-th6e2wrokkoq`, `GHSA-868r-x68r-5c5p`. */
function ecosystemOf({ id }: UpdateNames): string | undefined {
  return /^(?:BRSA|GHSA)-/.test(id) ? "bottlerocket" : undefined;
}
