import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandWorld, openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianRelease, ociArchive } from "./support/sample-image.ts";

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

  it("names who made the document and who supplies the image", async () => {
    const [author, supplier] = ["Acme <sbom@acme.example>", "Acme <https://acme.example>"];
    const flags = ["--sbom-author", author, "--sbom-supplier", supplier];

    const call = (format: string) => runPlimsoll(["sbom", world.image, "--db", world.db, "-o", format, ...flags]);
    const [cyclonedx, spdx] = [await call("cyclonedx"), await call("spdx")].map(({ stdout }) => JSON.parse(stdout));

    const organization = { name: "Acme", url: ["https://acme.example"] };
    expect(cyclonedx.metadata).toMatchObject({
      lifecycles: [{ phase: "post-build" }],
      authors: [{ name: "Acme", email: "sbom@acme.example" }],
      manufacturer: { name: "Acme", contact: [{ name: "Acme", email: "sbom@acme.example" }] },
      supplier: organization,
      component: { supplier: organization, purl: expect.stringMatching(/^pkg:oci\//) },
    });
    expect(spdx.creationInfo.creators[0]).toBe("Organization: Acme (sbom@acme.example)");
    expect(spdx.packages[0]).toMatchObject({ supplier: "Organization: Acme" });
  });

  it("lists the files of packages with --files only", async () => {
    const layer = await buildLayer({
      "lib/apk/db/installed": "P:u\nV:1-r0\nA:noarch\nF:bin\nR:u\nZ:Q1qqqqqqqqqqqqqqqqqqqqqqqqqqo=\n\n",
      "bin/u": "u",
    });
    const source = world.folder.write("files.tar", await ociArchive(await buildImage({ layers: [layer] })));
    const sbom = async (...words: string[]) => {
      const { code, stdout, stderr } = await runPlimsoll(["sbom", source, "--db", world.db, ...words]);
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout);
    };
    const without = await sbom();
    const cycloneDx = await sbom("--files");
    const spdx = await sbom("--files", "-o", "spdx");
    const spdx3 = await sbom("--files", "-o", "spdx@3.0.1");

    const sha1 = "aa".repeat(20);
    const [{ "bom-ref": owner }] = cycloneDx.components;
    expect(cycloneDx.components.filter(({ type }: { readonly type: string }) => type === "file")).toEqual([
      {
        type: "file",
        name: "/bin/u",
        hashes: [{ alg: "SHA-1", content: sha1 }],
        properties: [
          { name: "plimsoll:package", value: owner },
          { name: "plimsoll:layer", value: expect.stringMatching(/^sha256:/) },
        ],
      },
    ]);
    expect(spdx.files).toMatchObject([
      { fileName: "./bin/u", checksums: [{ algorithm: "SHA1", checksumValue: sha1 }] },
    ]);
    expect(spdx.relationships).toContainEqual({
      spdxElementId: spdx.packages[1].SPDXID,
      relationshipType: "CONTAINS",
      relatedSpdxElement: spdx.files[0].SPDXID,
    });
    expect(spdx3["@graph"]).toContainEqual(
      expect.objectContaining({ type: "software_File", name: "/bin/u", verifiedUsing: [expect.anything()] }),
    );
    expect(JSON.stringify(without)).not.toContain("/bin/u");
  });

  it("writes the file whose ending names the format, and one by the format of -f", async () => {
    const [spdx, other] = ["web.spdx.json", "web"].map((name) => join(world.folder.path, name)) as [string, string];

    const first = await runPlimsoll(["sbom", world.image, "--db", world.db, "-o", spdx, "-o", "json"]);
    const second = await runPlimsoll(["sbom", world.image, "--db", world.db, "-f", "spdx-json", "-o", other]);

    expect([first.code, second.code, second.stdout]).toEqual([0, 0, ""]);
    expect(JSON.parse(first.stdout)).toMatchObject({ success: true });
    for (const file of [spdx, other]) expect(JSON.parse(readFileSync(file, "utf8")).spdxVersion).toBe("SPDX-2.3");
  });

  it.each([
    ["cyclonedx-json@1.7", '"specVersion": "1.7"'],
    ["cyclonedx-xml@1.6", 'xmlns="http://cyclonedx.org/schema/bom/1.6"'],
    ["cyclonedx-xml@1.7", 'xmlns="http://cyclonedx.org/schema/bom/1.7"'],
    ["spdx-json@3.0.1", '"specVersion": "3.0.1"'],
  ])("writes the form that Syft calls %s", async (format, mark) => {
    const [file, env] = [join(world.folder.path, "bill"), { SOURCE_DATE_EPOCH: "1700000000" }];
    const call = (...output: string[]) => runPlimsoll(["sbom", world.image, "--db", world.db, ...output], { env });

    const { stdout } = await call("-o", format);
    const inFile = await call("-f", format, "-o", file);

    expect(stdout).toContain(mark);
    expect([inFile.stdout, readFileSync(file, "utf8")]).toEqual(["", stdout]);
  });

  it.each(["cyclonedx", "spdx", "spdx@3.0.1"])("is the same in %s wherever the archive is", async (format) => {
    const bytes = readFileSync(world.image);
    const files = ["one.tar", "other.tar"].map((name) => world.folder.write(name, bytes));
    const env = { SOURCE_DATE_EPOCH: "1700000000" };

    const [one, other] = await Promise.all(
      files.map((file) => runPlimsoll(["sbom", file, "--db", ":memory:", "-o", format], { env })),
    );

    expect(one?.stdout).toContain("libssl3");
    expect(one?.stdout).toBe(other?.stdout);
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

describe("plimsoll scan with several -o", () => {
  it("writes each file whose ending names a format, and one result on standard output", async () => {
    const names = ["web.sarif", "web.junit.xml", "gl-container-scanning-report.json", "web.openvex.json", "web.md"];
    const files = names.map((name) => join(world.folder.path, name));

    const { code, stdout } = await runPlimsoll([
      ...["scan", world.image, "--db", world.db, "-o", "cyclonedx-vex"],
      ...files.flatMap((file) => ["-o", file]),
    ]);

    const [sarif = "", junit = "", gitlab = "", openvex = "", markdown] = files.map((file) =>
      readFileSync(file, "utf8"),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).vulnerabilities[0].analysis.state).toBe("exploitable");
    expect(JSON.parse(sarif).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain(
      "CVE-2024-0001",
    );
    expect(junit).toContain('name="CVE-2024-0001 in libssl3 3.0.11-1~deb12u1"');
    expect(JSON.parse(gitlab).vulnerabilities[0].location.operating_system).toContain("Debian");
    expect(JSON.parse(openvex).statements[0].status).toBe("affected");
    expect(markdown).toMatch(/^<!-- plimsoll -->/);
  });

  it("shows in reports of findings what --show says, and how many it hides", async () => {
    const { stdout } = await runPlimsoll(["scan", world.image, "--db", world.db, "-o", "sarif", "--show", "high+"]);

    const [run] = JSON.parse(stdout).runs;
    expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(["CVE-2024-0001"]);
    expect(JSON.stringify(run.invocations[0].toolExecutionNotifications)).toContain("2 more findings not shown.");
  });
});

describe("plimsoll scan -o template", () => {
  it("writes what the template says", async () => {
    const template = world.folder.write(
      "ids.mustache",
      "{{#findings}}{{{id}}},{{{package}}},{{fixedIn}}\n{{/findings}}",
    );
    const file = join(world.folder.path, "ids.csv");

    const first = await runPlimsoll(["scan", world.image, "--db", world.db, "-o", `template=${template}`]);
    const second = await runPlimsoll(["scan", world.image, "--db", world.db, "-f", `template=${template}`, "-o", file]);

    expect([first.code, second.code, second.stdout]).toEqual([0, 0, ""]);
    expect(first.stdout).toContain("CVE-2024-0001,libssl3,3.0.11-1~deb12u2\n");
    expect(readFileSync(file, "utf8")).toBe(first.stdout);
  });

  it.each([
    ["none.mustache", undefined, "none.mustache"],
    ["open.mustache", "{{#findings}}", "Unclosed section"],
  ])("refuses %s before it scans", async (name, text, message) => {
    const path = text === undefined ? join(world.folder.path, name) : world.folder.write(name, text);

    const { code, stderr } = await runPlimsoll(["scan", "none.tar", "--db", world.db, "-o", `template=${path}`]);

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe("plimsoll sbom -o github", () => {
  it("is of the commit that the workflow names", async () => {
    const env = { GITHUB_SHA: "a".repeat(40), GITHUB_REF: "refs/heads/main", GITHUB_RUN_ID: "7", GITHUB_JOB: "scan" };

    const { stdout } = await runPlimsoll(["sbom", world.image, "--db", world.db, "-o", "github"], { env });
    const without = await runPlimsoll(["sbom", world.image, "--db", world.db, "-o", "github"], { env: {} });

    const { sha, job, manifests } = JSON.parse(stdout);
    expect([sha, job]).toEqual(["a".repeat(40), { id: "7", correlator: "scan" }]);
    expect(Object.values<{ resolved: object }>(manifests).flatMap(({ resolved }) => Object.keys(resolved))).toContain(
      purl,
    );
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("GITHUB_SHA") });
  });
});

describe("a finding in a package that another one needs", () => {
  it("says by which it is needed, in every format that has room for it", async () => {
    const paragraph = (name: string, more = "") =>
      `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1\n${more}`;
    const database = [
      paragraph("curl", "Depends: libcurl4\n"),
      paragraph("libcurl4", "Depends: libssl3\n"),
      paragraph("libssl3", "Source: openssl\n"),
    ].join("\n");
    const tree = { "etc/os-release": debianRelease, "var/lib/dpkg/status": database };
    const image = await buildImage({ layers: [await buildLayer(tree)] });
    const file = world.folder.write("needed.tar", await ociArchive(image));

    const scan = async (format: string) => (await runPlimsoll(["scan", file, "--db", world.db, "-o", format])).stdout;
    const [table = "", lines = "", csv = "", sarif = "", html = ""] = [
      await scan("table"),
      await scan("ndjson"),
      await scan("csv"),
      await scan("sarif"),
      await scan("html"),
    ];

    expect(table).toMatch(/NEEDED BY.*\n(?:.*\n)*?CVE-2024-0001 +libssl3 +1 +3\.0\.11-1~deb12u2 +High +curl/);
    expect(lines).toContain('"needed_by":["curl 1","libcurl4 1"]');
    expect(csv).toMatch(/"CVE-2024-0001".*"curl 1 > libcurl4 1"/);
    expect(JSON.parse(sarif).runs[0].results[0].properties.neededBy).toEqual(["curl 1", "libcurl4 1"]);
    expect(html).toMatch(/Needed by/);
  });

  it("says that nothing shows that a package is used, if the image says what it starts", async () => {
    const database =
      "Package: libssl3\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1\nSource: openssl\n";
    const tree = {
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": database,
      "var/lib/dpkg/info/libssl3:amd64.list": "/.\n/usr/bin\n/usr/bin/openssl-server\n",
      "app/package.json": JSON.stringify({ name: "app", version: "1.0.0", dependencies: { a: "1" } }),
      "app/node_modules/a/package.json": JSON.stringify({ name: "a", version: "1.0.0" }),
    };
    const layers = [await buildLayer(tree)];
    const scan = async (format: string, config: object, columns?: number) => {
      const file = world.folder.write(
        "reached.tar",
        await ociArchive(await buildImage({ layers, config: { config } })),
      );
      return (await runPlimsoll(["scan", file, "--db", world.db, "-o", format], { columns })).stdout;
    };
    const start = { Cmd: ["node", "server.js"], WorkingDir: "/app" };

    expect(await scan("table", start)).toMatch(/REACHED.*\n(?:.*\n)*?CVE-2024-0001 +libssl3 .*no evidence/);
    expect(await scan("table", start, 80)).toMatch(/ libssl3 .*no evidence/);
    expect(await scan("table", start, 79)).not.toContain("REACHED");
    expect(await scan("ndjson", start)).toContain('"reached":"no evidence"');
    const { enrichments, packages } = JSON.parse(await scan("json", start));
    const [{ starts, no_evidence: alone }] = enrichments["application/vnd.plimsoll.reached+json"];
    const namesOf = (ids: readonly string[]) => ids.map((id) => packages[id].name);
    expect([namesOf(starts), namesOf(alone)]).toEqual([["app"], ["libssl3"]]);
    expect(JSON.parse(await scan("sarif", start)).runs[0].results[0].properties.reached).toBe("no evidence");
    expect(await scan("html", start)).toContain("nothing in the image is known to need the package");
    const program = { Cmd: ["openssl-server", "-v"], Env: ["PATH=/usr/bin"] }; // of a package of dpkg, by its list
    expect(await scan("table", program)).not.toContain("REACHED");
    expect(await scan("table", { Cmd: ["/run.sh"] })).not.toContain("REACHED");
  });
});
