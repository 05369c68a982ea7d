import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandWorld, openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommandWorld();
});
afterAll(() => world[Symbol.dispose]());

const purl = "pkg:deb/debian/libssl3@3.0.11-1~deb12u1?arch=amd64&distro=debian-12&upstream=openssl";

describe("plimsoll sbom", () => {
  it("writes CycloneDX on standard output", async () => {
    const { code, stdout } = await runPlimsoll(["sbom", world.image, "--db", world.db]);

    const { components, metadata } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(metadata.component).toMatchObject({ type: "container" });
    expect(components.map((component: { purl?: string }) => component.purl)).toContain(purl);
  });

  it("writes the file whose ending names the format, and one by the format of -f", async () => {
    const [spdx, other] = ["web.spdx.json", "web"].map((name) => join(world.folder.path, name)) as [string, string];

    const first = await runPlimsoll(["sbom", world.image, "--db", world.db, "-o", spdx, "-o", "json"]);
    const second = await runPlimsoll(["sbom", world.image, "--db", world.db, "-f", "spdx-json", "-o", other]);

    expect([first.code, second.code, second.stdout]).toEqual([0, 0, ""]);
    expect(JSON.parse(first.stdout)).toMatchObject({ success: true });
    for (const file of [spdx, other]) expect(JSON.parse(readFileSync(file, "utf8")).spdxVersion).toBe("SPDX-2.3");
  });

  it("is the same at every call with SOURCE_DATE_EPOCH", async () => {
    const env = { SOURCE_DATE_EPOCH: "1700000000" };
    const call = () => runPlimsoll(["sbom", world.image, "--db", world.db], { env });

    const [first, second] = [await call(), await call()];

    expect(first.stdout).toBe(second.stdout);
    expect(JSON.parse(first.stdout).metadata.timestamp).toBe("2023-11-14T22:13:20.000Z");
  });
});

describe("plimsoll scan -o cyclonedx", () => {
  it("lists vulnerabilities with the packages that they affect", async () => {
    const { stdout } = await runPlimsoll(["scan", world.image, "--db", world.db, "-o", "cyclonedx"]);

    const { vulnerabilities } = JSON.parse(stdout);
    const found = vulnerabilities.find(({ id }: { id: string }) => id === "CVE-2024-0001");
    expect(found.affects).toEqual([{ ref: purl, versions: [{ version: "3.0.11-1~deb12u1", status: "affected" }] }]);
    expect(found.recommendation).toBe("Update to version 3.0.11-1~deb12u2 or later.");
  });

  it("refuses all platforms in one document", async () => {
    const words = ["scan", world.image, "--db", world.db, "-o", "cyclonedx", "--platform", "all"];

    expect(await runPlimsoll(words)).toMatchObject({ code: 2, stdout: "" });
  });
});
