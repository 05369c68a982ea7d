import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { makePhar } from "./fixtures/make-phar.ts";

const json = JSON.stringify({ packages: [{ name: "psr/log", version: "3.0.0" }] });
const php = `<?php return array(
    'root' => array('name' => 'a/tool', 'pretty_version' => '2.8.1', 'version' => '2.8.1.0'),
    'versions' => array(
        'a/tool' => array('pretty_version' => '2.8.1', 'version' => '2.8.1.0'),
        'psr/log' => array(
            'pretty_version' => '3.0.0',
            'version' => '3.0.0.0',
        ),
        'psr/log-implementation' => array('dev_requirement' => false, 'provided' => array(0 => '1.0')),
    ),
);
`;
const listPath = "vendor/composer/installed.json";

async function indexed(path: string, bytes: Uint8Array | string) {
  const report = await indexLayers([[fileOf(path, bytes, 0o755)]]);
  const unassessed = report.coverage.unassessed.map(({ kind, count }) => `${kind} ${count}`);
  return { packages: listPackages(report), problems: listProblems(report), unassessed };
}

describe("pharDetector", () => {
  it.each([
    ["a program without an extension", "usr/local/bin/composer", {}],
    [
      "a program that begins with PHP",
      "usr/local/bin/composer",
      { stub: `<?php ${"//\n".repeat(9)}__HALT_COMPILER();` },
    ],
    ["an archive", "opt/tool.phar", { stub: "<?php\n__HALT_COMPILER(); ?>\n" }],
    ["compressed files", "opt/tool.phar", { flags: 0x1000 }],
  ])("finds the packages in %s", async (_, path, form) => {
    expect(await indexed(path, makePhar(listPath, json, form))).toEqual({
      packages: [`psr/log 3.0.0 (packagist) ${path}:${listPath}`],
      problems: [],
      unassessed: [],
    });
  });

  it("finds the packages that are listed in PHP alone", async () => {
    const { packages } = await indexed("a.phar", makePhar(listPath.replace("json", "php"), php));

    expect(packages).toEqual([
      "a/tool 2.8.1 (packagist) a.phar:vendor/composer/installed.php",
      "psr/log 3.0.0 (packagist) a.phar:vendor/composer/installed.php:versions",
    ]);
  });

  it("lists a branch by the alias that PHP's list has", async () => {
    const aliases = "'version' => 'dev-main', 'aliases' => array(\n 0 => '3.x-dev',\n ),";
    const branch = php.replace("'3.0.0',", `'dev-main', ${aliases}`);
    const { packages } = await indexed("a.phar", makePhar(listPath.replace("json", "php"), branch));

    expect(packages).toContain("psr/log 3.x-dev (packagist) a.phar:vendor/composer/installed.php:versions");
  });

  it("counts packages once that both lists have, in whatever layers these are", async () => {
    const path = "app/vendor/composer/installed";
    const [list, listed] = [fileOf(`${path}.json`, json), fileOf(`${path}.php`, php)];
    const expected = [`a/tool 2.8.1 (packagist) ${path}.php`, `psr/log 3.0.0 (packagist) ${path}.json`];

    expect(listPackages(await indexLayers([[list, listed]]))).toEqual(expected);
    expect(listPackages(await indexLayers([[listed], [list]]))).toEqual(expected);
  });

  it.each([
    ["an archive without packages is evidence", "a.phar", makePhar("a.php", "<?php"), [], ["php 1"]],
    ["a zip or tar archive is evidence", "a.phar", "PK\u0003\u0004", [], ["php 1"]],
    ["an archive of tests is none", "vendor/node_modules/a/tests/a.phar", "PK", [], []],
    ["a script is none", "usr/bin/a", `<?php ${"//\n".repeat(99)}`, [], []],
  ])("%s", async (_, path, bytes, problems, unassessed) => {
    expect(await indexed(path, bytes)).toEqual({ packages: [], problems, unassessed });
  });

  it.each([
    ["bzip2", makePhar(listPath, json, { flags: 0x2000 }), "expected no bzip2"],
    ["more than it states", makePhar(listPath, json, { flags: 0x1000, sizeBytes: 9 }), "expected 9 bytes"],
    ["less than it states", makePhar(listPath, json, { flags: 0x1000, sizeBytes: 999 }), "expected 999 bytes"],
    ["a content past the end", makePhar(listPath, json).subarray(0, -60), "found the end of the archive"],
    ["a manifest past the end", makePhar(listPath, json).subarray(0, 90), "expected"],
  ])("makes a problem of %s", async (_, bytes, message) => {
    const { problems } = await indexed("a.phar", bytes);

    expect(problems).toEqual([expect.stringContaining(message)]);
  });
});
