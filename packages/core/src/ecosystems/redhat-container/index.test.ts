import { describe, expect, it } from "vitest";
import { indexRecords } from "../../match/index-records.ts";
import { recordPurl } from "../../model/record-purl.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const dockerfile = (labels: string) => `FROM scratch\nLABEL ${labels}\n`;
const console4 = 'name="openshift/ose-console-rhel9" version="v4.16.0" release="202409181705.p0" architecture="x86_64"';

describe("redhatContainerDetector", () => {
  it.each([
    [
      "labels of a Dockerfile",
      "root/buildinfo/Dockerfile-a-v4.16.0-2",
      dockerfile(console4),
      "openshift/ose-console-rhel9 v4.16.0-202409181705.p0",
    ],
    [
      "the name of the file if labels have no release",
      "root/buildinfo/Dockerfile-ubi8-8.6-855",
      dockerfile('name="ubi8/ubi" version="8.6"'),
      "ubi8/ubi 8.6-855",
    ],
    [
      "labels that are variables",
      "root/buildinfo/Dockerfile-ubi8-8.6-855",
      dockerfile('name="ubi8/ubi" version="8.6" release="$R"'),
      "ubi8/ubi 8.6-855",
    ],
    [
      "labels in JSON",
      "usr/share/buildinfo/labels.json",
      '{"name":"ubi9/ubi","org.opencontainers.image.created":"2025-06-15T12:26:40Z"}',
      "ubi9/ubi 1749990400",
    ],
  ])("lists the container by %s", async (_, path, text, expected) => {
    const report = await indexLayers([[fileOf(path, text)]]);

    expect(listPackages(report)).toEqual([`${expected} (redhat-container) ${path}`]);
  });

  it("gives it a package URL and the CPE name of its product", async () => {
    const text = dockerfile(`${console4} cpe="cpe:/a:redhat:openshift:4.16::el9"`);

    const [record] = indexRecords(await indexLayers([[fileOf("root/buildinfo/Dockerfile-a-1-2", text)]]));

    expect(record && recordPurl(record)).toBe(
      "pkg:oci/ose-console-rhel9?arch=x86_64&repository_url=registry.access.redhat.com%2Fopenshift%2Fose-console-rhel9&tag=v4.16.0-202409181705.p0",
    );
    expect(record?.package.cpe).toBe("cpe:2.3:a:redhat:openshift:4.16:*:el9:*:*:*:*:*");
  });

  it.each([
    ["no name", "root/buildinfo/Dockerfile-a-1-2", dockerfile("a=b"), []],
    ["a name that is not a repository", "root/buildinfo/Dockerfile-a-1-2", dockerfile('name="Some thing"'), []],
    ["no JSON", "root/buildinfo/labels.json", "{", [expect.stringMatching(/^malformed_package_db /)]],
    ["another place", "opt/root/buildinfo/labels.json", '{"name":"ubi9/ubi"}', []],
  ])("lists nothing for %s", async (_, path, text, problems) => {
    const report = await indexLayers([[fileOf(path, text)]]);

    expect(listPackages(report)).toEqual([]);
    expect(listProblems(report).filter((problem) => !problem.startsWith("malformed_image"))).toEqual(problems);
  });
});
