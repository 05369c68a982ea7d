import { describe, expect, it } from "vitest";
import { sampleDigest } from "../../match/fixtures/samples.ts";
import type { ImageView } from "../../plugins/coalescer.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { rpmOrigins } from "./origins.ts";

const set = (name: string): Finding => ({ kind: "repository", path: "p", repository: { name, key: "content-set" } });
const image: ImageView = { survives: () => true, distributionAt: () => undefined, repositories: [] };
const finding: PackageFinding = {
  kind: "package",
  packageDb: "db",
  package: { name: "a", version: "1-1", kind: "BINARY" },
};

function namesAt(introducedAt: number, layers: readonly (readonly Finding[])[], installedFrom?: string) {
  const of = rpmOrigins(
    layers.map((findings) => ({ digest: sampleDigest("a"), findings })),
    image,
  );
  return of({ introducedAt, finding: { ...finding, ...(installedFrom && { installedFrom }) } }).map(({ name }) => name);
}

describe("rpmOrigins", () => {
  it.each([
    ["of its own layer", 1, [[set("base")], [set("own")], [set("above")]], ["own"]],
    ["of the nearest below", 2, [[set("base")], [set("below")], []], ["below"]],
    ["of the first above if none is below", 0, [[], [set("above")], [set("top")]], ["above"]],
    ["of no layer if none has any", 0, [[], []], []],
  ] as const)("gives a package the content sets %s", (_, at, layers, expected) => {
    expect(namesAt(at, layers)).toEqual(expected);
  });

  it("lists the repository from which dnf installed the package first", () => {
    expect(namesAt(0, [[set("base")]], "appstream")).toEqual(["appstream", "base"]);
  });
});
