import { describe, expect, it } from "vitest";
import {
  imagePath,
  isVulnerabilityId,
  isWithin,
  namespacePath,
  type Place,
  placeOf,
  repositoryPath,
  vulnerabilityPath,
} from "./places.ts";

const digest = `sha256:${"a".repeat(64)}`;
const image = { kind: "image", namespace: "library", repository: "app" } as const;

describe("placeOf", () => {
  const rows: readonly (readonly [path: string, place: Place])[] = [
    ["/", { kind: "home" }],
    ["/search", { kind: "search" }],
    ["/account", { kind: "account" }],
    ["/admin", { kind: "admin" }],
    ["/admin/", { kind: "admin" }],
    ["/explorer", { kind: "explorer" }],
    ["/cve/CVE-2024-45491", { kind: "vulnerability", id: "CVE-2024-45491" }],
    ["/cve/RHSA-2024%3A1234", { kind: "vulnerability", id: "RHSA-2024:1234" }],
    ["/cve", { kind: "unknown" }],
    ["/cve/a/b", { kind: "unknown" }],
    ["/library", { kind: "namespace", namespace: "library" }],
    ["/library/", { kind: "namespace", namespace: "library" }],
    ["/library/app", { kind: "repository", namespace: "library", repository: "app" }],
    ["/library/a/b/tag/c", { kind: "repository", namespace: "library", repository: "a/b/tag/c" }],
    ["/library/app:1.2", { ...image, reference: { kind: "tag", tag: "1.2" } }],
    ["/library/a/b:1", { ...image, repository: "a/b", reference: { kind: "tag", tag: "1" } }],
    [`/library/app@${digest}`, { ...image, reference: { kind: "digest", digest } }],
    ["/namespace/search/app", { kind: "repository", namespace: "search", repository: "app" }],
    ["/repository/library/app", { kind: "repository", namespace: "library", repository: "app" }],
    ["/namespace/repository/app", { kind: "repository", namespace: "repository", repository: "app" }],
    ["/repository", { kind: "unknown" }],
    ["/api/unknown", { kind: "unknown" }],
    ["/namespace/admin", { kind: "namespace", namespace: "admin" }],
    ["/namespace/admin/", { kind: "namespace", namespace: "admin" }],
    ["/namespace/", { kind: "unknown" }],
    ["/admin/app", { kind: "repository", namespace: "admin", repository: "app" }],
    ["/admin/app:1", { ...image, namespace: "admin", reference: { kind: "tag", tag: "1" } }],
    ["/%zz", { kind: "namespace", namespace: "%zz" }],
  ];

  it.each(rows)("reads %s", (path, place) => {
    expect(placeOf(path)).toEqual(place);
  });

  it.each(["library", "account", "admin", "cve", "explorer", "search", "v2", "api", "a.b-c_d"])(
    "reads the addresses that it writes of %s",
    (namespace) => {
      expect(placeOf(namespacePath(namespace))).toEqual({ kind: "namespace", namespace });
      expect(placeOf(repositoryPath(namespace, "a/b"))).toEqual({ kind: "repository", namespace, repository: "a/b" });
      const reference = { kind: "digest", digest } as const;
      expect(placeOf(imagePath(namespace, "a", reference))).toEqual({
        ...image,
        namespace,
        repository: "a",
        reference,
      });
    },
  );
});

describe("isWithin", () => {
  it.each([
    ["/", "/", true],
    ["/library", "/", false],
    ["/library", "/library", true],
    ["/library/app", "/library", true],
    ["/library/app:1", "/library", true],
    ["/library2", "/library", false],
    ["/admin", "/admin", true],
    ["/admin/", "/admin", true],
    ["/admin/app:1", "/admin", false],
    ["/namespace/admin", "/admin", false],
    ["/admin", "/namespace/admin", false],
    ["/admin/app:1", "/namespace/admin", true],
    ["/namespace/admin", "/namespace/admin", true],
    ["/cve/CVE-2024-45491", "/explorer", false],
  ])("of %s in %s is %s", (path, above, is) => {
    expect(isWithin(path, above)).toBe(is);
  });
});

describe("vulnerabilityPath", () => {
  it.each(["CVE-2024-45491", "RHSA-2024:1234", "a/b", "?"])("is read as the page of %s", (id) => {
    expect(placeOf(vulnerabilityPath(id))).toEqual({ kind: "vulnerability", id });
  });
});

describe("isVulnerabilityId", () => {
  it.each([
    ["CVE-2024-45491", true],
    ["cve-2024-45491", true],
    ["GHSA-jfh8-c2jp-5v3q", true],
    ["ALPINE-CVE-2022-37434", true],
    ["DSA-5532-1", true],
    ["RHSA-2023:5931", true],
    ["openSUSE-SU-2023:1234-1", true],
    ["ALAS2023-2023-356", true],
    ["GO-2024-2611", true],
    ["CVE-2024", false],
    ["my-app", false],
    ["CVE-2024-45491 openssl", false],
  ])("of %s is %s", (text, is) => {
    expect(isVulnerabilityId(text)).toBe(is);
  });
});
