import { describe, expect, it } from "vitest";
import type { LayerFile, LayerFiles } from "../../plugins/detector.ts";
import { buildInfoDetector } from "./build-info.ts";

function detect(contents: Readonly<Record<string, string>>) {
  const files = Object.entries(contents).map(([path, text]): LayerFile => {
    return { path, contentPath: path, mode: 0o644, bytes: new TextEncoder().encode(text) };
  });
  const layer: LayerFiles = {
    get: (path) => files.find((file) => file.path === path),
    [Symbol.iterator]: () => files[Symbol.iterator](),
  };
  return [...buildInfoDetector.detect(layer)].map((found) =>
    found.kind === "repository" ? found.repository : found.kind === "problem" ? found.message : found.kind,
  );
}

const manifest = "root/buildinfo/content_manifests/ubi8-container-8.6-855.json";

describe("buildInfoDetector", () => {
  it.each([
    [manifest, true],
    ["usr/share/buildinfo/content_manifests/a.json", true],
    ["usr/share/buildinfo/content-sets.json", true],
    ["usr/share/buildinfo/labels.json", true],
    ["root/buildinfo/labels.json", true],
    ["root/buildinfo/Dockerfile-ubi8-8.6-855", true],
    ["root/buildinfo/other.json", false],
    ["root/buildinfo/content_manifests/deeper/a.json", false],
    ["opt/root/buildinfo/labels.json", false],
  ])("wants %s: %s", (path, wanted) => {
    expect(buildInfoDetector.wants({ path, kind: "file", sizeBytes: 1, mode: 0o644 })).toBe(wanted);
  });

  it("finds the content sets of a manifest, each once", () => {
    const content_sets = ["rhel-8-for-x86_64-baseos-rpms__8", "rhel-8-for-x86_64-baseos-rpms", "bad name"];

    expect(detect({ [manifest]: JSON.stringify({ metadata: {}, content_sets }) })).toEqual([
      { name: "rhel-8-for-x86_64-baseos-rpms", key: "content-set" },
    ]);
  });

  it("ignores the content sets if the manifest refers to the history of dnf", () => {
    expect(detect({ [manifest]: JSON.stringify({ from_dnf_hint: true, content_sets: ["a-rpms"] }) })).toEqual([]);
  });

  it.each([
    ["root/buildinfo/labels.json", '{"name": "ubi9/ubi", "cpe": "cpe:/a:redhat:enterprise_linux:9::appstream"}'],
    [
      "root/buildinfo/Dockerfile-ubi9-9.6-1",
      "FROM x\nLABEL name='ubi9/ubi' \\\n  cpe=\"cpe:/a:redhat:enterprise_linux:9::appstream\" a=b\nRUN true",
    ],
  ])("finds the product that labels name in %s", (path, text) => {
    expect(detect({ [path]: text })).toEqual([
      {
        name: "ubi9/ubi",
        key: "rhel-cpe-repository",
        cpe: "cpe:2.3:a:redhat:enterprise_linux:9:*:appstream:*:*:*:*:*",
      },
    ]);
  });

  it.each([
    [manifest, "<html>", /expected JSON/],
    [manifest, '{"content_sets": 7}', /expected an array, found 7/],
    [manifest, JSON.stringify({ content_sets: Array.from({ length: 1001 }, () => "a") }), /at most 1000 content sets/],
    ["root/buildinfo/labels.json", '{"cpe": "redhat"}', /CPE name/],
    ["root/buildinfo/labels.json", '{"cpe": 7}', /expected a string/],
  ])("reports the problem of %s: %s", (path, text, message) => {
    expect(detect({ [path]: text })).toEqual([expect.stringMatching(message)]);
  });

  it("reads a hostile Dockerfile in linear time", () => {
    const text = `LABEL ${"a".repeat(2_000_000)}\nLABEL ${"\"'".repeat(1_000_000)}`;

    expect(detect({ "root/buildinfo/Dockerfile-a-1-1": text })).toEqual([]);
  });
});
