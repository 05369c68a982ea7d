/**
 * The licences that the packaging systems' own tools state of this machine's packages, beside those that the engine finds in the same files. A test is skipped where its tool is not
 * there. Those of rpm and apk are in the tests of their parsers.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { summarizeLicenses } from "../licenses/spdx.ts";
import { spdxExpression } from "../licenses/spdx-expression.ts";
import { fileOf, indexLayers } from "./language/fixtures/index-layers.ts";

/** What a tool writes as JSON; undefined where it is not there, or fails. */
function outputOf<T>(tool: string, ...args: readonly string[]): T | undefined {
  try {
    const text = execFileSync(tool, args, {
      encoding: "utf8",
      maxBuffer: 256 * 1024 ** 2,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Found {
  readonly texts: readonly string[];
  readonly expression: string | undefined;
}

/** The licences of the packages of an image of these files, by `name version`. */
async function licensesIn(members: readonly OddMember[]): Promise<ReadonlyMap<string, Found>> {
  const { packages, details = {} } = await indexLayers([members]);
  return new Map(
    Object.values(packages).map(({ id, name, version }) => {
      const texts = (details[id]?.licenses ?? []).map(({ text }) => text);
      return [`${name} ${version}`, { texts, expression: summarizeLicenses(details[id] ?? {})?.expression }];
    }),
  );
}

const root = fileURLToPath(new URL("../../../..", import.meta.url));

interface NpmPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: unknown;
  readonly location?: string;
}
const npm = outputOf<readonly NpmPackage[]>("npm", "query", "*", "--prefix", root);

describe.skipIf(npm === undefined)("licences of npm, or npm is not there", () => {
  it("are those that npm finds in this repository", async () => {
    const installed = (npm ?? []).filter(({ location = "" }) => location.startsWith("node_modules/"));
    const stated = installed.flatMap(({ name, version, license }) =>
      typeof license === "string" ? [{ key: `${name} ${version}`, license }] : [],
    );
    const files = globSync("node_modules/**/package.json", { cwd: root });
    const members = files.map((path) => fileOf(`app/${path}`, readFileSync(`${root}/${path}`)));

    const found = await licensesIn(members);

    const others = stated.filter(({ key, license }) => {
      const { texts = [], expression } = found.get(key) ?? {};
      return !texts.includes(license) || (spdxExpression(license) ?? expression) !== expression;
    });
    expect(stated.length).toBeGreaterThan(100);
    expect(others).toEqual([]);
  });
});

const script = `
import importlib.metadata as m, json
print(json.dumps([{"folder": str(d._path), "key": d.metadata["Name"] + " " + d.version, "expression": d.metadata["License-Expression"],
  "license": d.metadata["License"], "classifiers": [c for c in d.metadata.get_all("Classifier") or [] if c.startswith("License ::")]} for d in m.distributions()]))
`;
interface PythonPackage {
  readonly folder: string;
  readonly key: string;
  readonly expression: string | null;
  readonly license: string | null;
  readonly classifiers: readonly string[];
}
const python = outputOf<readonly PythonPackage[]>("python3", "-c", script);

describe.skipIf(python === undefined)("licences of Python, or python3 is not there", () => {
  it("are those that Python finds in the metadata", async () => {
    const members = (python ?? []).flatMap(({ folder }) =>
      globSync(`${folder}/{METADATA,PKG-INFO}`).map((path) =>
        fileOf(`usr/lib/python3/site-packages/${path.split("/").slice(-2).join("/")}`, readFileSync(path)),
      ),
    );

    const found = await licensesIn(members);

    const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
    const others = (python ?? []).flatMap(({ key, expression, license, classifiers }) => {
      const { texts = [], expression: own } = found.get(key) ?? {};
      const names = classifiers.map((each) => each.slice(each.lastIndexOf(" :: ") + 4));
      const known = [expression, license].flatMap((each) => (each === null ? [] : [oneLine(each)]));
      const exact = spdxExpression(expression ?? license ?? "");
      const isOne = (text: string) => known.some((each) => text.startsWith(each) || each.startsWith(text)); // with classifiers, or a title before the text
      const isStated = texts.every((text) => isOne(text) || names.includes(text));
      return isStated && (exact ?? own) === own ? [] : [{ key, texts, own, known, names }];
    });
    expect([found.size > 10, others]).toEqual([true, []]);
  });
});
