/** What the command takes in memory beside what a small input takes: a bounded part of a large input, whatever is in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { noLongTests, skipNote } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { programWords } from "./support/killed-program.ts";
import { largeDpkgStatus, largeLayer, largeRpmDatabase, writeImage } from "./support/large-inputs.ts";
import { tempFolder } from "./support/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const measured = programWords(new URL("support/measured-command.ts", import.meta.url));

/** The peak of the command, in bytes. */
async function peakOf(...words: readonly string[]): Promise<number> {
  const program = spawn(process.execPath, [...measured, ...words]);
  const [peak, complaints, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, "exit"),
  ]);
  expect([code, complaints]).toEqual([0, ""]);
  return Number(peak);
}

async function peakOfImage(name: string, files: Readonly<Record<string, Uint8Array>>): Promise<number> {
  const image = join(folder.path, `${name}.tar`);
  await writeImage(image, [await largeLayer(files)]);
  return peakOf("index", image, "--db", join(folder.path, `${name}.db`));
}

describe.skipIf(noLongTests !== undefined)(`plimsoll index${skipNote(noLongTests)}`, () => {
  // What is remembered of the image takes some 25 MB of the database's cache: the input is large beside that.
  const bytes = 100e6;
  const ofOnePackage = { "var/lib/dpkg/status": largeDpkgStatus({ packages: 1, bytes: 300 }) };
  let smallest: Promise<number> | undefined;
  const removed = (status: Uint8Array) =>
    Buffer.from(Buffer.from(status).toString().replaceAll("install ok installed", "deinstall ok config-files"));

  it.each([
    ["of long descriptions", () => largeDpkgStatus({ packages: 6_000, bytes })],
    ["of many packages that are not installed", () => removed(largeDpkgStatus({ packages: 150_000, bytes }))],
    ["of wide letters", () => largeDpkgStatus({ packages: 6_000, bytes }, "é—")],
  ])(
    "has a dpkg database %s in memory once",
    async (name, status) => {
      smallest ??= peakOfImage("small", ofOnePackage);
      const small = await smallest;
      const large = await peakOfImage(name.replaceAll(" ", "-"), { "var/lib/dpkg/status": status() });
      expect(large - small).toBeLessThan(1.8 * bytes);
    },
    180_000,
  );

  it.each([
    ["sqlite", "var/lib/rpm/rpmdb.sqlite", 2_000],
    ["ndb", "var/lib/rpm/Packages.db", 200],
  ] as const)(
    "never has an rpm database (%s) in memory as a whole",
    async (form, path, packages) => {
      const large = { packages, bytes: 140e6 };
      const small = await peakOfImage(`rpm-small-${form}`, {
        [path]: largeRpmDatabase({ packages: 1, bytes: 900 }, form),
      });
      const peak = await peakOfImage(`rpm-${form}`, { [path]: largeRpmDatabase(large, form) });
      expect(peak - small).toBeLessThan(0.9 * large.bytes);
    },
    180_000,
  );
});
