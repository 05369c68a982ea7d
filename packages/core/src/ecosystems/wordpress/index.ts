import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { decodeHead } from "../language/head.ts";
import { provenPackage, unreadable } from "../language/proof.ts";

/** The bytes of a file that WordPress itself reads for the header. */
const headBytes = 8 * 1024;

const core = /(?:^|\/)wp-includes\/version\.php$/;
const plugin = /(?:^|\/)wp-content\/(?:mu-)?plugins\/(?:([^/]+)\/)?([^/]+)\.php$/;
const theme = /(?:^|\/)wp-content\/themes\/([^/]+)\/style\.css$/;

/**
 * Finds WordPress, its plugins and its themes as WordPress does: by the assignment of its version, and by the header in a comment of the
 * main file. The name of a plugin is that of its folder, which is also its name in the WordPress directory.
 * @see https://developer.wordpress.org/plugins/plugin-basics/header-requirements/
 */
const wordpressDetector: FileDetector = {
  name: "wordpress",
  revision: 2,
  names: { endings: [".php", "/style.css"] },
  wants: ({ path }: FileEntry) => path.includes("wp-") && (core.test(path) || plugin.test(path) || theme.test(path)),
  *detect(file: LayerFile): Iterable<Finding> {
    const text = decodeHead(file.bytes, headBytes);
    if (core.test(file.path)) yield coreFinding(file, text);
    else yield* extensionFindings(file, text);
  },
};

function coreFinding(file: LayerFile, text: string): Finding {
  const version = /^[ \t]*\$wp_version[ \t]*=[ \t]*(?:'([^']*)'|"([^"]*)")/m.exec(text);
  const found = version?.[1] ?? version?.[2];
  if (found === undefined) return unreadable(file.path, "expected the version of WordPress, found none");
  return provenPackage(file, { name: "wordpress", version: found });
}

/** The plugin or theme of a file; none for a file without the header, which is not the main file. */
function* extensionFindings(file: LayerFile, text: string): Iterable<Finding> {
  const ofTheme = theme.exec(file.path);
  const ofPlugin = plugin.exec(file.path);
  if (headerOf(text, ofTheme ? "Theme Name" : "Plugin Name") === undefined) return;
  const name = ofTheme ? `theme/${ofTheme[1]}` : `plugin/${ofPlugin?.[1] ?? ofPlugin?.[2]}`;
  const details = {
    licenses: [{ text: headerOf(text, "License") ?? "" }],
    authors: [headerOf(text, "Author") ?? ""],
    description: headerOf(text, "Description"),
    homepage: headerOf(text, ofTheme ? "Theme URI" : "Plugin URI"),
  };
  yield provenPackage(file, { name, version: headerOf(text, "Version") ?? "", details });
}

/** The value of a header field: `5.3` of ` * Version: 5.3`. */
function headerOf(text: string, name: string): string | undefined {
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 0 || !/^(?:<\?php)?[\s/*#@]*$/.test(line.slice(0, Math.max(0, colon - name.length)))) continue;
    if (line.slice(colon - name.length, colon).toLowerCase() !== name.toLowerCase()) continue;
    const value = line
      .slice(colon + 1)
      .split("*/", 1)
      .join("")
      .trim();
    if (value !== "") return value;
  }
  return undefined;
}

/** WordPress, its plugins and its themes. */
export const wordpress = defineLanguage({
  name: "wordpress",
  ecosystem: "WordPress",
  repository: "wordpress",
  fileDetectors: [wordpressDetector],
  versions: composerVersions,
  purl: ["wordpress"],
  assesses: [],
});
