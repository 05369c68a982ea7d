import { describe, expect, it } from "vitest";
import { buildBdb } from "./fixtures/build-bdb.ts";
import { packageHeader } from "./fixtures/build-header.ts";
import { buildNdb } from "./fixtures/build-ndb.ts";
import { textRecord } from "./fixtures/records-of.ts";
import { parseRpmDatabase } from "./parser.ts";

const named = (number: number, name: string) => ({ number, blob: packageHeader({ name }) });

describe("parseRpmDatabase", () => {
  it("lists packages by record number, not in file order", () => {
    const { packages, problems } = parseRpmDatabase(buildBdb([named(9, "zlib"), named(2, "bash"), named(5, "audit")]));

    expect(packages.map((rpm) => [rpm.recordNumber, rpm.name])).toEqual([
      [2, "bash"],
      [5, "audit"],
      [9, "zlib"],
    ]);
    expect(problems).toEqual([]);
  });

  it("leaves out signing keys", () => {
    const { packages } = parseRpmDatabase(buildNdb([named(1, "gpg-pubkey"), named(2, "bash")]));

    expect(packages.map((rpm) => rpm.name)).toEqual(["bash"]);
  });

  it("reports a damaged header and keeps the others", () => {
    const { packages, problems } = parseRpmDatabase(
      buildNdb([named(1, "audit"), textRecord(2, "no header at all"), named(3, "bash")]),
    );

    expect(packages.map((rpm) => rpm.name)).toEqual(["audit", "bash"]);
    expect(problems).toEqual([
      {
        at: "record 2",
        code: "malformed_package_db",
        message: "expected 1 to 65535 header entries, found 1852776552",
      },
    ]);
  });

  it("gives up after a thousand damaged parts", () => {
    const records = Array.from({ length: 1200 }, (_, index) => textRecord(index + 1, "damaged!"));

    const { problems } = parseRpmDatabase(buildBdb(records));

    expect(problems).toHaveLength(1001);
    expect(problems.at(-1)).toMatchObject({
      at: "rest of the database",
      message: expect.stringContaining("1000 parts"),
    });
  });
});
