import { describe, expect, it } from "vitest";
import { sampleDigest } from "../../match/fixtures/samples.ts";
import type { ImageView } from "../../plugins/coalescer.ts";
import type { Finding, OriginsFinding, PackageFinding } from "../../plugins/finding.ts";
import { rpmOrigins } from "./origins.ts";

const set = (name: string): Finding => ({ kind: "repository", path: "p", repository: { name, key: "content-set" } });
const image: ImageView = {
  survives: (path) => path !== "gone",
  resolve: (path) => path,
  distributionAt: () => undefined,
  ownerOf: () => undefined,
  repositories: [],
};
const dnf4 = (repository: string, more: Partial<OriginsFinding> = {}): OriginsFinding => {
  const packages = { [repository]: ["a 1-1 "] };
  return { kind: "origins", path: "var/lib/dnf/history.sqlite", packages, ...more };
};
const dnf5 = (repository: string) => dnf4(repository, { path: "usr/lib/sysimage/libdnf5/transaction_history.sqlite" });
const finding: PackageFinding = {
  kind: "package",
  packageDb: "db",
  package: { name: "a", version: "1-1", kind: "BINARY" },
};

const yum = (repository: string): OriginsFinding =>
  dnf4(repository, { path: "var/lib/yum/yumdb/a/0f-a-1-1-x86_64/from_repo" });

function namesAt(introducedAt: number, layers: readonly (readonly Finding[])[]) {
  const of = rpmOrigins(
    layers.map((findings) => ({ digest: sampleDigest("a"), findings })),
    image,
  );
  return of({ introducedAt, finding }).map(({ name }) => name);
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

  it.each<[string, readonly (readonly Finding[])[], string[]]>([
    ["first", [[set("base"), dnf4("appstream")]], ["appstream", "base"]],
    ["by a history of another layer", [[], [dnf4("appstream")]], ["appstream"]],
    ["by dnf 5 where both have a history", [[dnf5("five"), dnf4("four")], [dnf4("three")]], ["five"]],
    ["not by a history that was deleted", [[dnf4("appstream", { path: "gone" })]], []],
    ["without a log that was deleted", [[dnf4("late", { log: "gone", withoutLog: { early: ["a 1-1 "] } })]], ["early"]],
    [
      "alone if yum did, from an extra of Amazon Linux 2",
      [[set("base"), yum("amzn2extra-nginx1")]],
      ["amzn2extra-nginx1"],
    ],
    ["not by a log alone that was deleted", [[dnf4("late", { log: "gone" })]], []],
  ])("lists the repository from which dnf installed the package %s", (_, layers, expected) => {
    expect(namesAt(0, layers)).toEqual(expected);
  });
});
