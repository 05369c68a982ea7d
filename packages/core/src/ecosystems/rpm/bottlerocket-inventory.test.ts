import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { bottlerocketUpdater } from "../../feeds/updateinfo/vendors.ts";
import { indexRecords } from "../../match/index-records.ts";
import { matchRecords } from "../../match/match-records.ts";
import { recordPurl } from "../../model/record-purl.ts";
import { fileOf, indexLayers, listProblems } from "../language/fixtures/index-layers.ts";
import { rpmMatcher } from "./matcher.ts";

const root = "x86_64-bottlerocket-linux-gnu/sys-root/";
const release = (folder = "") => fileOf(`${folder}usr/lib/os-release`, 'ID=bottlerocket\nVERSION_ID="1.26.0"\n');
const listed = ([Name, Version, Release, Epoch = "0"]: readonly [string, string, string, string?]) => ({
  Name,
  Publisher: "Bottlerocket",
  Version,
  Release,
  Epoch,
  InstalledTime: "2025-03-07T01:00:15Z",
  Architecture: "x86_64",
});
const inventory = (content: unknown, folder = "") =>
  fileOf(`${folder}usr/share/bottlerocket/application-inventory.json`, JSON.stringify({ Content: content }));

/** https://advisories.bottlerocket.aws/updateinfo.xml.gz has both forms. */
const update = (id: string, name: string, [version, build, epoch]: readonly [string, string, string]) => `
  <update author="a" from="a" status="final" type="security" version="1.4"><id>${id}</id><title>t</title>
  <issued date="2025-03-07T01:00:15Z"/><severity>important</severity><description>d</description>
  <references><reference href="https://a.example/CVE-2024-0001" id="CVE-2024-0001" type="cve"/></references>
  <pkglist><collection short="bottlerocket"><name>Bottlerocket</name>
  <package arch="x86_64" name="${name}" version="${version}" release="${build}" epoch="${epoch}"/>
  <package arch="aarch64" name="${name}" version="${version}" release="${build}" epoch="${epoch}"/>
  </collection></pkglist></update>`;

describe("bottlerocketDetector", () => {
  it.each(["", root])("finds the packages in the root %j", async (folder) => {
    const report = await indexLayers([
      [
        release(folder),
        inventory(
          [listed(["kernel-6.1", "6.1.124", "1.1737763153.9fde645.br1"]), listed(["glibc", "2.40", "1.br1", "1"])],
          folder,
        ),
      ],
    ]);

    expect(indexRecords(report).map(recordPurl)).toEqual([
      "pkg:rpm/bottlerocket/glibc@2.40-1.br1?arch=x86_64&distro=bottlerocket-1.26.0&epoch=1",
      "pkg:rpm/bottlerocket/kernel-6.1@6.1.124-1.1737763153.9fde645.br1?arch=x86_64&distro=bottlerocket-1.26.0",
    ]);
    expect(report.coverage).toMatchObject({ status: "complete", databases: [{ packages: 2 }] });
  });

  it("reports an entry without a name, and a list that is none", async () => {
    const [one, other] = await Promise.all([
      indexLayers([[release(), inventory([listed(["a", "1", "1"]), {}, 7])]]),
      indexLayers([[release(), inventory("x")]]),
    ]);

    expect(listProblems(one)).toHaveLength(2);
    expect(listProblems(other)).toEqual([expect.stringContaining("expected a list Content")]);
  });

  it("leaves an image without a list unassessed", async () => {
    const { coverage } = await indexLayers([[release()]]);

    expect(coverage.unassessed).toMatchObject([{ kind: "rpm", count: 1 }]);
  });

  it.each<[string, Parameters<typeof listed>[0], readonly [string, string, string], readonly string[]]>([
    ["an older build", ["k", "6.1.124", "1.17377.br1"], ["6.1.124", "1.17495.br1", "0"], ["6.1.124-1.17495.br1"]],
    ["the fixed build", ["k", "6.1.124", "1.17495.br1"], ["6.1.124", "1.17495.br1", "0"], []],
    ["an older epoch", ["k", "2.40", "1.br1"], ["2.38", "1.br1", "1"], ["1:2.38-1.br1"]],
    ["an older release of Bottlerocket", ["k", "1.16.0", "763f6d4c"], ["1.16.1", "0", "0"], ["1.16.1"]],
    ["the fixed release, whose commit begins with a letter", ["k", "1.16.1", "c63f6d4c"], ["1.16.1", "0", "0"], []],
  ])("is judged by Bottlerocket's advisories: %s", async (_, found, fixed, expected) => {
    const document = `<updates>${update("BRSA-th6e2wrokkoq", "k", fixed)}</updates>`;
    const items = await itemsOf(bottlerocketUpdater, feedReaderOf({ "": document }));
    const advisories = items.flatMap((each) => (each.kind === "item" ? each.item : []));
    const records = indexRecords(await indexLayers([[release(), inventory([listed(found)])]]));

    const { affected } = matchRecords([rpmMatcher], { records, advisories });

    expect(advisories).toMatchObject([{ aliases: ["CVE-2024-0001"], normalizedSeverity: "High" }]);
    expect(affected.map(({ verdict }) => verdict.fixedInVersion)).toEqual(expected);
  });
});
