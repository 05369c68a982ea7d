import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const root = "var/www/html";

describe("wordpressDetector", () => {
  it.each([
    ["WordPress", "wp-includes/version.php", "<?php\n$wp_version = '6.4.2';\n$wp_db_version = 1;", "wordpress 6.4.2"],
    [
      "a plugin",
      "wp-content/plugins/akismet/akismet.php",
      "<?php\n/**\n * Plugin Name: Akismet\n * Version: 5.3\n * Requires PHP: 5.6\n */",
      "plugin/akismet 5.3",
    ],
    [
      "a plugin of one file",
      "wp-content/plugins/hello.php",
      "<?php\n/*\nPlugin Name: Hello\nVersion: 1.7.2\n*/",
      "plugin/hello 1.7.2",
    ],
    ["a plugin without a version", "wp-content/mu-plugins/a/b.php", "<?php /* Plugin Name: A */", "plugin/a "],
    [
      "a theme",
      "wp-content/themes/twentyten/style.css",
      "/*\nTheme Name: Twenty Ten\nVersion: 3.9\n*/",
      "theme/twentyten 3.9",
    ],
  ])("finds %s", async (_, path, content, expected) => {
    expect(listPackages(await indexLayers([[fileOf(`${root}/${path}`, content)]]))).toEqual([
      `${expected} (wordpress) ${root}/${path}`,
    ]);
  });

  it.each([
    ["another file of a plugin", "wp-content/plugins/akismet/class.php", "<?php // Version: 1"],
    ["a sentence that mentions the header", "wp-content/plugins/a/b.php", "<?php // The Plugin Name: is a header"],
    ["a header that is too late", "wp-content/plugins/a/b.php", `${" ".repeat(9000)}/* Plugin Name: A */`],
    ["a style sheet without the header", "wp-content/themes/a/style.css", "body {}"],
  ])("ignores %s", async (_, path, content) => {
    const report = await indexLayers([[fileOf(`${root}/${path}`, content)]]);

    expect([listPackages(report), listProblems(report)]).toEqual([[], []]);
  });

  it("makes a problem of a WordPress without a version", async () => {
    expect(listProblems(await indexLayers([[fileOf(`${root}/wp-includes/version.php`, "<?php")]]))).toEqual([
      expect.stringContaining("expected the version of WordPress"),
    ]);
  });
});
