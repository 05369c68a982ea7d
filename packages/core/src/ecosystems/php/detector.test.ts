import { describe, expect, it } from "vitest";
import { sampleAdvisory, samplePackage } from "../../match/fixtures/samples.ts";
import { languageKey } from "../../model/package.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { php } from "./index.ts";

const path = "app/vendor/composer/installed.json";
const kernel = { name: "symfony/http-kernel", version: "v6.3.1", type: "library" };
const log = { name: "psr/log", version: "3.0.0" };

describe("composerDetector", () => {
  it.each([
    ["Composer 2's list", { packages: [kernel, log], dev: false, "dev-package-names": [] }],
    ["Composer 1's list", [kernel, log]],
    ["packages for development that are installed", { packages: [kernel, log], "dev-package-names": ["psr/log"] }],
  ])("reads %s", async (_, content) => {
    const report = await indexLayers([[fileOf(path, JSON.stringify(content))]]);

    expect(listPackages(report)).toEqual([
      `psr/log 3.0.0 (packagist) ${path}`,
      `symfony/http-kernel v6.3.1 (packagist) ${path}`,
    ]);
    expect(report.coverage.status).toBe("complete");
  });

  it.each([
    ["with an alias", { "branch-alias": { "dev-main": "5.4.x-dev", "dev-a": "1.x-dev" } }, "5.4.x-dev"],
    ["without one", {}, "dev-main"],
    ["of which Composer does not know the number", { "branch-alias": { "dev-main": "9999999-dev" } }, "dev-main"],
  ])("lists a branch %s", async (_, extra, expected) => {
    const branch = { name: "a/b", version: "dev-main", extra };
    const report = await indexLayers([[fileOf(path, JSON.stringify([branch]))]]);

    expect(listPackages(report)).toEqual([`a/b ${expected} (packagist) ${path}`]);
  });

  it("ignores files of that name elsewhere", async () => {
    const report = await indexLayers([
      [fileOf("app/installed.json", "{"), fileOf("srv/composer/x/installed.json", "{")],
    ]);

    expect([listPackages(report), listProblems(report)]).toEqual([[], []]);
  });

  it.each([
    ["a package without a name", { packages: [{ version: "1" }, log] }, "entry 0: expected a package with a name", 1],
    ["an entry that is not a package", [7, log], "entry 0: expected a package with a name", 1],
    ["a name that cannot be shown", [{ name: "a\u0007", version: "1" }, log], "expected a short word", 1],
    ["no list", { packages: {} }, "expected a list of packages", 0],
    ["a text", "packages", "expected a list of packages", 0],
  ])("makes a problem of %s, and reads the rest", async (_, content, message, count) => {
    const report = await indexLayers([[fileOf(path, JSON.stringify(content))]]);

    expect(listPackages(report)).toHaveLength(count);
    expect(listProblems(report)).toEqual([expect.stringContaining(`malformed_package_db ${path}: ${message}`)]);
  });
});

describe("php", () => {
  it.each([
    ["dev-main", { fixed: "5.4.50" }, "version-unknown"],
    ["master", { introduced: "5.0", fixed: "5.4.50" }, "version-unknown"],
    ["5.4.x-dev", { fixed: "5.4.50" }, "fixed"],
    ["5.3.x-dev", { fixed: "5.4.50" }, "affected"],
    ["dev-main", {}, "affected"],
  ])("judges %s by %j: %s", (version, range, expected) => {
    const repositories = [{ id: "1", name: "packagist", key: languageKey }];
    const record = { package: { ...samplePackage("a/b 1"), version }, packageDb: path, repositories };
    const verdict = php.matchers[0]?.judge(record, sampleAdvisory("Packagist", "a/b", { ranges: [range] }));

    expect(verdict?.kind === "affected" ? verdict.kind : verdict?.reason).toBe(expected);
  });
});

describe("composerApplicationDetector", () => {
  const installed = (name: string, version: string) =>
    `<?php return array(\n    'root' => array(\n        'name' => '${name}',\n        'pretty_version' => '${version}',\n        'version' => '4.0.1.0',\n`;
  const list = fileOf(path, JSON.stringify({ packages: [log] }));

  it.each([
    [
      "Composer 2's list",
      "app/vendor/composer/installed.php",
      installed("grocy/grocy", "4.0.1"),
      ["grocy/grocy 4.0.1"],
    ],
    ["its description", "app/composer.json", '{"name":"grocy/grocy","version":"4.0.1"}', ["grocy/grocy 4.0.1"]],
    ["a list of a branch", "app/vendor/composer/installed.php", installed("grocy/grocy", "dev-main"), ["grocy/grocy "]],
    [
      "no list without a version",
      "app/vendor/composer/installed.php",
      installed("__root__", "1.0.0+no-version-set"),
      [],
    ],
    ["a description without a version", "app/composer.json", '{"name":"grocy/grocy"}', ["grocy/grocy "]],
    ["no description without a vendor", "app/composer.json", '{"name":"grocy"}', []],
    ["no description that cannot be read", "app/composer.json", "{{ template }}", []],
    ["no description without installed packages", "srv/composer.json", '{"name":"a/b","version":"4.0.1"}', []],
    ["no description of a package", "app/vendor/a/b/composer.json", '{"name":"a/b","version":"4.0.1"}', []],
  ])("finds the application in %s", async (_, place, content, expected) => {
    const report = await indexLayers([[list, fileOf(place, content)]]);

    expect(listPackages(report)).toEqual(
      [...expected.map((each) => `${each} (packagist) ${place}`), `psr/log 3.0.0 (packagist) ${path}`].sort(),
    );
    expect(listProblems(report)).toEqual([]);
  });

  it("takes the version from the list if the description has none", async () => {
    const place = "app/vendor/composer/installed.php";
    const files = [
      fileOf("app/composer.json", '{"name":"grocy/grocy"}'),
      fileOf(place, installed("grocy/grocy", "4.0.1")),
    ];

    expect(listPackages(await indexLayers([[list, ...files]]))).toEqual([
      `grocy/grocy 4.0.1 (packagist) ${place}`,
      `psr/log 3.0.0 (packagist) ${path}`,
    ]);
  });
});
