import type { OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const site = "usr/local/lib/python3.12/site-packages";
const metadata = (name: string, version: string) =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\nText\n`;

describe("pythonDetector", () => {
  it.each([
    ["a wheel's", `${site}/requests-2.31.0.dist-info/METADATA`, metadata("requests", "2.31.0"), "requests 2.31.0"],
    ["setuptools'", `${site}/six.egg-info/PKG-INFO`, metadata("six", "1.16.0"), "six 1.16.0"],
    [
      "a bundled wheel's",
      "opt/dist/cryptography-3.3.2-py3.8.egg-info/METADATA",
      metadata("cryptography", "3"),
      "cryptography 3",
    ],
    ["an egg's", `${site}/a-1-py3.egg/EGG-INFO/PKG-INFO`, metadata("a", "1"), "a 1"],
    ["distutils'", `${site}/PyYAML-6.0.egg-info`, metadata("PyYAML", "6.0"), "PyYAML 6.0"],
    ["Windows' line ends", `${site}/b.dist-info/METADATA`, "Name: b\r\nVersion: 1.0\r\n\r\n", "b 1.0"],
    ["case-insensitive fields", `${site}/b.dist-info/METADATA`, "NAME: b\nversion: 1.0\n", "b 1.0"],
    [
      "a description before them",
      `${site}/b.dist-info/METADATA`,
      "Description: a\n  Name: x\nName: b\nVersion: 1\n",
      "b 1",
    ],
    ["names in the text", `${site}/b.dist-info/METADATA`, "Name: b\nVersion: 1\n\nName: c\nVersion: 2\n", "b 1"],
    ["no version", `${site}/b.dist-info/METADATA`, "Name: b\n\nVersion: 2\n", "b "],
  ])("reads %s metadata", async (_, path, content, expected) => {
    expect(listPackages(await indexLayers([[fileOf(path, content)]]))).toEqual([`${expected} (pypi) ${path}`]);
  });

  it.each([
    ["without a name", "Version: 1.0\n", "expected the name of a Python package, found none"],
    ["whose name comes too late", `Summary: ${"x".repeat(70_000)}\nName: b\n`, "expected the name"],
    ["whose name is too long", `Name: ${"b".repeat(2_000)}\nVersion: 1\n`, "expected a short word"],
  ])("makes a problem of metadata %s", async (_, content, message) => {
    const path = `${site}/b.dist-info/METADATA`;

    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([]);
    expect(listProblems(report)).toEqual([expect.stringContaining(`malformed_package_db ${path}: ${message}`)]);
    expect(report.coverage.status).toBe("partial");
  });

  it.each([
    ["a file", "b-1.dist-info/METADATA", "/cache/1f/METADATA"],
    ["a folder", "b-1.dist-info", "/cache/1f"],
    ["a folder below another link", "b-1.egg-info", "../../../../../../c/1f"],
  ])("reads metadata behind a link to %s", async (_, name, linkName) => {
    const content = fileOf(`cache/1f/${name.includes("egg") ? "PKG-INFO" : "METADATA"}`, metadata("b", "1"));
    const links: OddMember[] = [
      { name: `${site}/${name}`, type: "2", linkName },
      { name: "c", type: "2", linkName: "cache" },
    ];
    const [path = ""] = /^[^/]*/.exec(name) ?? [];

    const [one, two] = [await indexLayers([[content, ...links]]), await indexLayers([[content], links])];

    expect(listPackages(one)).toEqual([expect.stringContaining(`b 1 (pypi) ${site}/${path}/`)]);
    expect([listPackages(two), listProblems(two)]).toEqual([
      [],
      [expect.stringContaining(`unread_link ${site}/${path}/`)],
    ]);
  });

  it.each([
    ["another folder", "srv/METADATA"],
    ["the tests of a package", `${site}/x/tests/data/b-1.dist-info/METADATA`],
    ["the tests of a package of npm", "app/node_modules/x/test/fixtures/b-1.dist-info/METADATA"],
    ["the tests of a gem", "var/lib/gems/3.3.0/gems/x-1/spec/fixtures/b-1.dist-info/METADATA"],
    ["the tests of a package of PHP", "app/vendor/a/x/tests/b-1.dist-info/METADATA"],
  ])("ignores metadata in %s", async (_, path) => {
    const report = await indexLayers([
      [fileOf(path, metadata("b", "1")), fileOf(path.replace("METADATA", "RECORD"), "")],
    ]);

    expect([listPackages(report), report.coverage]).toMatchObject([[], { status: "complete", unassessed: [] }]);
  });

  const info = (folder: string, ...names: readonly string[]) =>
    names.map((name) => fileOf(`${site}/${folder}/${name}`, ""));
  const described = (folder: string, name = "METADATA") => fileOf(`${site}/${folder}/${name}`, metadata("b", "1"));

  it.each<[string, OddMember[][], string[]]>([
    ["a wheel without metadata", [info("b-1.dist-info", "INSTALLER", "RECORD", "WHEEL")], ["b-1.dist-info/INSTALLER"]],
    ["an egg without metadata", [info("b-1.egg-info", "top_level.txt")], ["b-1.egg-info/top_level.txt"]],
    [
      "metadata deleted above",
      [[described("b-1.dist-info"), ...info("b-1.dist-info", "RECORD")], info("b-1.dist-info", ".wh.METADATA")],
      ["b-1.dist-info/RECORD"],
    ],
    [
      "the licence of a package that another bundles",
      [[described("b-1.dist-info"), ...info("b-1.dist-info/licenses/_vendor/c-2.dist-info", "LICENSE")]],
      [],
    ],
    ["metadata beside", [[...info("b-1.dist-info", "RECORD"), described("b-1.dist-info")]], []],
    [
      "metadata of an egg beside",
      [[described("b-1.egg-info", "PKG-INFO"), ...info("b-1.egg-info", "SOURCES.txt")]],
      [],
    ],
    ["metadata below", [[described("b-1.dist-info")], info("b-1.dist-info", "RECORD")], []],
    ["metadata above", [info("b-1.dist-info", "RECORD"), [described("b-1.dist-info")]], []],
    ["a folder in the folder", [info("b-1.dist-info/licenses", "LICENSE")], []],
    ["a folder that was deleted", [info("b-1.dist-info", "RECORD"), [fileOf(`${site}/.wh.b-1.dist-info`, "")]], []],
  ])("reports as not assessed: %s", async (_, layers, expected) => {
    const { coverage } = await indexLayers(layers);

    const paths = coverage.unassessed.flatMap(({ kind, evidence }) => evidence.map(({ path }) => `${kind} ${path}`));
    expect(paths).toEqual(expected.map((path) => `python ${site}/${path}`));
  });
});

describe("pythonSourceDetector", () => {
  const six = fileOf("usr/lib/python3/site-packages/six-1.16.0.dist-info/METADATA", "Name: six\nVersion: 1.16.0\n");
  const sources = (...required: string[]) =>
    [
      "Metadata-Version: 2.1",
      "Name: shop",
      "Version: 1.2.3",
      ...required.map((each) => `Requires-Dist: ${each}`),
      "",
      "Requires-Dist: a",
    ].join("\n");

  it.each([
    ["whose packages are installed", "srv/PKG-INFO", sources("Six>=1"), ["shop 1.2.3"]],
    [
      "with packages for an extra",
      "srv/PKG-INFO",
      sources("six (>=1)", "a; extra == 'x'", 'b ; extra=="y"'),
      ["shop 1.2.3"],
    ],
    ["that setuptools has prepared", "srv/shop.egg-info/PKG-INFO", sources(), ["shop 1.2.3"]],
    ["with other packages", "srv/PKG-INFO", sources("six", "a", "b"), []],
    ["without packages", "srv/PKG-INFO", sources(), []],
    ["without a name", "srv/PKG-INFO", "Version: 1\nRequires-Dist: six\n", []],
    ["in an installed package", "usr/lib/python3/site-packages/a/PKG-INFO", sources("six"), []],
  ])("finds sources %s", async (_, path, content, expected) => {
    const report = await indexLayers([[six], [fileOf(path, content)]]);

    expect(listPackages(report).filter((each) => !each.startsWith("six "))).toEqual(
      expected.map((each) => `${each} (pypi) ${path}`),
    );
    expect(listProblems(report)).toEqual([]);
  });
});

describe("pythonApplicationDetector of setuptools", () => {
  const site = "app/.venv/lib/python3.12/site-packages";
  const six = fileOf(`${site}/six-1.16.0.dist-info/METADATA`, metadata("six", "1.16.0"));
  const setup = (more = "") => `from setuptools import setup\n\nsetup(\n    name='shop',\n${more})\n`;

  it.each<[string, string, string, string | undefined]>([
    ["setup.cfg", "app/setup.cfg", "[metadata]\nname = shop\nversion = 1.2.3\n", "shop 1.2.3"],
    ["setup.cfg with a computed version", "app/setup.cfg", "[metadata]\nname=shop\nversion=attr: shop.v\n", "shop "],
    [
      "setup.cfg with packages of the system",
      "srv/setup.cfg",
      "[metadata]\nname: shop\nversion: 1.2.3\n[options]\ninstall_requires =\n    six>=1\n    other\npackages = find:\n",
      "shop 1.2.3",
    ],
    ["setup.cfg without a name", "app/setup.cfg", "[flake8]\nname = shop\n", undefined],
    ["setup.py", "app/setup.py", setup('    version="1.2.3",\n'), "shop 1.2.3"],
    ["setup.py with a computed version", "app/setup.py", setup("    version=read('VERSION'),\n"), "shop "],
    [
      "setup.py with packages of the system",
      "srv/setup.py",
      setup("    version='1.2.3',\n    install_requires=['six>=1', \"other\"],\n"),
      "shop 1.2.3",
    ],
    ["setup.py with a computed name", "app/setup.py", "setup(name=NAME, version='1')", undefined],
    ["another program", "app/setup.py", "name='shop'\nversion='1'\n", undefined],
    ["setup.py of an installed package", `${site}/a/setup.py`, setup("    version='1',\n"), undefined],
  ])("reads %s", async (_, path, content, expected) => {
    const found = listPackages(await indexLayers([[six, fileOf(path, content)]]));

    expect(found.filter((each) => !each.startsWith("six "))).toEqual(
      expected === undefined ? [] : [`${expected} (pypi) ${path}`],
    );
  });

  it.each([
    ["an installed package", fileOf(`${site}/Shop-1.2.3.dist-info/METADATA`, metadata("Shop", "1.2.3"))],
    ["another file beside it", fileOf("app/setup.cfg", "[metadata]\nname = shop\nversion = 1.2.3\n")],
  ])("does not list a project without a version if %s states it", async (_, other) => {
    const computed = fileOf("app/setup.py", setup());

    const found = listPackages(await indexLayers([[six, computed], [other]]));

    expect(found.map((each) => each.split(" (")[0])).toEqual([expect.stringMatching(/^shop 1\.2\.3$/i), "six 1.16.0"]);
  });
});

describe("pythonApplicationDetector", () => {
  const dependency = ".venv/lib/python3.12/site-packages/six-1.16.0.dist-info/METADATA";
  const project = (version: string) =>
    `[build-system]\nrequires = ["hatchling"]\n\n[project]\nname = "shop"\n${version}`;

  it.each([
    ["a project", "app/", project('version = "1.2.3"'), ["shop 1.2.3"]],
    ["Poetry's project", "app/", '[tool.poetry]\nname = "shop"\nversion = "1.2.3"\n', ["shop 1.2.3"]],
    [
      "a project with packages of the system",
      "srv/",
      project('version = "1.2.3"\ndependencies = [\n  "Six[x]>=1",\n  "colorama; os_name == \'nt\'",\n]\n'),
      ["shop 1.2.3"],
    ],
    [
      "Poetry's project with packages of the system",
      "srv/",
      '[tool.poetry]\nname = "shop"\nversion = "1.2.3"\n\n[tool.poetry.dependencies]\npython = "^3.12"\nsix = "*"\n',
      ["shop 1.2.3"],
    ],
    [
      "no project with other packages",
      "srv/",
      project('version = "1.2.3"\ndependencies = ["django>=4", "six", "redis"]\n'),
      [],
    ],
    ["a project whose version is computed", "app/", project('dynamic = ["version"]'), ["shop "]],
    [
      "a project whose version is computed, with packages of the system",
      "srv/",
      project('dynamic = ["version"]\ndependencies = ["six"]\n'),
      ["shop "],
    ],
    [
      "Poetry's project whose version is computed",
      "app/",
      '[tool.poetry]\nname = "shop"\nversion = "0.0.0"\n\n[tool.poetry-dynamic-versioning]\nenable = true\n',
      ["shop "],
    ],
    [
      "the version of Poetry",
      "app/",
      `${project('dynamic = ["version"]')}\n[tool.poetry]\nname = "shop"\nversion = "1.2.3"\n`,
      ["shop 1.2.3"],
    ],
    ["no project without a version", "app/", project(""), []],
    ["no project without a release", "app/", project('version = "0.0.0"'), []],
    ["no project without its packages", "srv/", project('version = "1.2.3"'), []],
  ])("finds %s", async (_, folder, content, expected) => {
    const path = `${folder}pyproject.toml`;
    const report = await indexLayers([[fileOf(path, content), fileOf(`app/${dependency}`, metadata("six", "1.16.0"))]]);

    expect(listPackages(report)).toEqual([
      ...expected.map((each) => `${each} (pypi) ${path}`),
      `six 1.16.0 (pypi) app/${dependency}`,
    ]);
  });
});
