import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { rockyUpdater } from "./vendors.ts";

/** A repository with one update. */
function repositoryOf(name: string): Readonly<Record<string, string>> {
  const folder = `9/${name}/x86_64/os`;
  const updates = `<updates><update type="security"><id>RLSA-2024:${name}</id><release>Rocky Linux 9</release>
    <references><reference id="CVE-2024-0001" type="cve"/></references><pkglist><collection>
    <package name="a" epoch="0" version="1" release="2.el9" arch="x86_64"/></collection></pkglist></update></updates>`;
  return {
    [`${folder}/repodata/updateinfo.xml`]: updates,
    [`${folder}/repodata/repomd.xml`]:
      '<repomd><data type="updateinfo"><location href="repodata/updateinfo.xml"/></data></repomd>',
  };
}

describe("rockyUpdater", () => {
  it.each(["BaseOS", "CRB", "HighAvailability", "NFV", "ResilientStorage", "RT", "SAP", "SAPHANA"])(
    "reads the updates of the repository %s of a release, if it is there",
    async (name) => {
      const site = feedReaderOf({
        "": '<html><a href="9/">9/</a></html>',
        ...repositoryOf("AppStream"),
        ...repositoryOf(name),
      });

      const names = (await itemsOf(rockyUpdater, site)).map((each) => (each.kind === "item" ? each.item.name : ""));
      expect(names.toSorted()).toEqual(["RLSA-2024:AppStream", `RLSA-2024:${name}`].toSorted());
    },
  );
});
