import { describe, expect, it } from "vitest";
import { parseModules } from "./modules.ts";

describe("parseModules", () => {
  it.each([
    ["a dependency", ["dep\tgolang.org/x/net\tv0.7.0\th1:a="], "golang.org/x/net v0.7.0"],
    ["no checksum", ["dep\ta.example/b\tv1.0.0"], "a.example/b v1.0.0"],
    ["a replacement", ["dep\ta.example/b\tv1.0.0", "=>\tc.example/d\tv1.2.0\th1:a="], "c.example/d v1.2.0"],
    ["another version", ["dep\ta.example/b\tv1.0.0", "=>\ta.example/b\tv0.9.0\th1:a="], "a.example/b v0.9.0"],
    ["a folder", ["dep\ta.example/b\tv1.0.0", "=>\t../b\t(devel)\t"], "a.example/b "],
    ["a subfolder", ["dep\tk8s.io/api\tv0.0.0", "=>\t./staging/src/k8s.io/api\t(devel)\t"], "k8s.io/api "],
    ["a folder from the root", ["dep\ta.example/b\tv1.0.0", "=>\t/src/b\t(devel)\t"], "a.example/b "],
    ["a folder of Windows", ["dep\ta.example/b\tv1.0.0", "=>\tC:\\src\\b\t(devel)\t"], "a.example/b "],
    ["a member of a workspace", ["dep\ta.example/b\t(devel)\t"], "a.example/b "],
    ["no tag before a commit", ["dep\ta.example/b\tv0.0.0-20190308221718-c2843e01d9a2\t"], /^a.example\/b v0.0.0-2019/],
    ["a version from before modules", ["dep\ta.example/b\tv2.0.0+incompatible"], "a.example/b v2.0.0+incompatible"],
  ])("reads a dependency with %s", (_, lines, expected) => {
    const { dependencies } = parseModules([...lines, "build\t-compiler=gc", ""].join("\n"));

    expect(dependencies.map(({ path, version }) => `${path} ${version}`)).toEqual([
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    ]);
  });

  it.each([
    ["a release", "v1.2.3", "v1.2.3"],
    ["a release with changes", "v1.2.3+dirty", "v1.2.3+dirty"],
    ["a commit after a release", "v1.2.4-0.20240102030405-abcdef123456", "v1.2.4-0.20240102030405-abcdef123456"],
  ])("reads the version of a main module built from %s", (_, listed, version) => {
    expect(parseModules(`path\ta.example/b/cmd/c\nmod\ta.example/b\t${listed}\t\n`)).toEqual({
      mainPackage: "a.example/b/cmd/c",
      main: { path: "a.example/b", version },
      dependencies: [],
    });
  });

  const commit = "20240102030405-abcdef123456";
  const vcs = (time: string, revision = `abcdef123456${"0".repeat(28)}`) =>
    `build\tvcs=git\nbuild\tvcs.revision=${revision}\nbuild\tvcs.time=${time}\nbuild\tvcs.modified=true\n`;

  it.each([
    ["no version", "(devel)", "", "unknown-commit"],
    ["no version, from a copy with its history", "(devel)", vcs("2024-01-02T03:04:05Z"), commit],
    ["no version, at a time with a part of a second", "(devel)", vcs("2024-01-02T03:04:05.123Z"), commit],
    ["no version, at a time that cannot be read", "(devel)", vcs("2024-01-02"), "unknown-commit"],
    ["no version, from a revision of another system", "(devel)", vcs("2024-01-02T03:04:05Z", "12"), "unknown-commit"],
    ["a commit without a tag", `v0.0.0-${commit}`, "", commit],
    ["a commit without a tag, with changes", `v2.0.0-${commit}+dirty`, "", commit],
  ])("reads a main module built from %s as it is, with its commit", (_, version, settings, expected) => {
    const { main } = parseModules(`mod\ta.example/b\t${version}\t\n${settings}`);

    expect(main).toEqual({ path: "a.example/b", version, commit: expected });
  });

  it.each([
    ["of its command", '"-s -w -X main.version=1.2.3"', "v1.2.3"],
    ["of a package of it", "-X=a.example/b/internal/version.version=v3.12.0-rc.1", "v3.12.0-rc.1"],
    ["in quotes", `"-X 'a.example/b/version.gitVersion=v1.27.4' -X main.date=2024-01-02"`, "v1.27.4"],
    [
      "in escaped quotes, beside one with blanks",
      '"-s -X \\"main.MakeVersion=GNU Make 4.3\\" -X \\"main.Version=1.21.0\\""',
      "v1.21.0",
    ],
    ["of Prometheus' package for versions", '"-X github.com/prometheus/common/version.Version=2.45.0"', "v2.45.0"],
    ["of Kubernetes' package for versions", `"-X 'k8s.io/component-base/version.gitVersion=v1.28.0'"`, "v1.28.0"],
    ["of another module", '"-X c.example/d/version.Version=1.2.3"', ""],
    ["of a module whose name begins alike", '"-X a.example/bc.Version=1.2.3"', ""],
    ["that is not a version", '"-X main.version=dev -X main.goVersionCheck=1.2.3"', ""],
    ["that differs from another one", '"-X main.version=1.2.3 -X main.Version=1.2.4"', ""],
  ])("reads the version that the linker set in a variable %s", (_, flags, version) => {
    const text = `mod\ta.example/b\t(devel)\t\nbuild\t-ldflags=${flags}\nbuild\tCGO_ENABLED=0\n`;

    const unset = { version: "(devel)", commit: "unknown-commit" };
    expect(parseModules(text).main).toEqual({ path: "a.example/b", ...(version === "" ? unset : { version }) });
    expect(parseModules(text.replace("(devel)", "v9.0.0")).main?.version).toBe("v9.0.0");
  });

  it("assigns a replacement to the module before it", () => {
    const text = "mod\ta.example/b\tv1.0.0\n=>\tc.example/d\tv1.1.0\ndep\te.example/f\tv1.0.0\n";

    expect(parseModules(text)).toEqual({
      main: { path: "c.example/d", version: "v1.1.0", importedAs: "a.example/b" },
      dependencies: [{ path: "e.example/f", version: "v1.0.0" }],
    });
  });

  it.each(["", "\n\n", "=>\n", "dep", "=>\ta\tb", "mod\n=>\t.\n", "\t\t\t\n"])("does not throw for %j", (text) => {
    expect(() => parseModules(text)).not.toThrow();
  });
});
