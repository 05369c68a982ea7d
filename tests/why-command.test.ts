import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db } = world;

const npm = (name: string, ...needs: readonly string[]) =>
  JSON.stringify({ name, version: "1.0.0", dependencies: Object.fromEntries(needs.map((each) => [each, "1"])) });
const layer = await buildLayer({
  "app/package.json": npm("app", "a"),
  "app/node_modules/a/package.json": npm("a", "b"),
  "app/node_modules/b/package.json": npm("b"),
  "app/node_modules/c/package.json": npm("c", "gone"),
  "usr/lib/python3/site-packages/PyYAML-6.0.dist-info/METADATA":
    "Metadata-Version: 2.1\nName: PyYAML\nVersion: 6.0\nRequires-Dist: gone\n",
});
const image = folder.write("why.tar", await ociArchive(await buildImage({ layers: [layer] })));

const why = (...words: string[]) => runPlimsoll(["why", ...words, "--db", db]);

describe("plimsoll why", () => {
  it("shows the chain from a package that nothing needs", async () => {
    const { code, stdout } = await why(image, "b");
    const json = await why(image, "b", "-o", "json");

    expect(code).toBe(0);
    expect(stdout).toBe("app 1.0.0\n  needs a 1.0.0\n    needs b 1.0.0\n");
    expect(JSON.parse(json.stdout)).toMatchObject([
      { chain: [{ package: "app" }, { package: "a" }, { package: "b", version: "1.0.0" }] },
    ]);
  });

  it("shows a package alone that nothing needs, and says that there is none", async () => {
    const alone = await why(image, "c");
    const none = await why(image, "d");

    expect(alone.stdout).toBe("c 1.0.0\n");
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining("no package d in")]);
  });

  it.each([
    ["pyyaml", "PyYAML 6.0\n"],
    ["B", ""],
  ])("takes %s for every spelling that its ecosystem takes for the same", async (name, expected) => {
    expect((await why(image, name)).stdout).toBe(expected);
  });

  it("begins with what the image starts", async () => {
    const config = { config: { Entrypoint: ["node", "/app/node_modules/a/package.json"] } };
    const started = folder.write("started.tar", await ociArchive(await buildImage({ layers: [layer], config })));

    expect((await why(started, "b")).stdout).toBe("the image starts a 1.0.0\n  needs b 1.0.0\n");
    expect(JSON.parse((await why(started, "b", "-o", "json")).stdout)).toMatchObject([{ started: true }]);
    expect((await why(started, "c")).stdout).toBe("c 1.0.0\n");
  });

  it("reads the chain from a bill of materials", async () => {
    const { stdout } = await runPlimsoll(["sbom", image, "--db", db]);
    const bill = `sbom:${folder.write("why.cdx.json", stdout)}`;

    expect((await why(bill, "b")).stdout).toBe("app 1.0.0\n  needs a 1.0.0\n    needs b 1.0.0\n");
  });

  it("says where it is not known what needs a package", async () => {
    const components = ["a", "b"].map((name) => ({ type: "library", name, version: "1", purl: `pkg:npm/${name}@1` }));
    const bill = `sbom:${folder.write("flat.cdx.json", JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }))}`;

    expect((await why(bill, "b")).stdout).toBe("b 1 (what needs it is not known)\n");
    expect(JSON.parse((await why(bill, "b", "-o", "json")).stdout)).toMatchObject([{ known: false }]);
  });

  it("is in the bill of materials, with what is not known", async () => {
    const { stdout } = await runPlimsoll(["sbom", image, "--db", db]);
    const { components, dependencies, compositions } = JSON.parse(stdout);
    const refOf = (wanted: string) =>
      components.find(({ name }: { readonly name: string }) => name === wanted)["bom-ref"];
    const [app, a, b, c, yaml] = ["app", "a", "b", "c", "PyYAML"].map(refOf);

    expect(dependencies).toEqual([
      { ref: "image", dependsOn: [app, c, yaml] },
      ...[
        { ref: a, dependsOn: [b] },
        { ref: app, dependsOn: [a] },
        { ref: b, dependsOn: [] },
        { ref: c, dependsOn: [] },
        { ref: yaml, dependsOn: [] },
      ],
    ]);
    expect(compositions).toEqual([
      { aggregate: "complete", assemblies: ["image"] },
      { aggregate: "complete", dependencies: ["image", a, app, b] },
      { aggregate: "incomplete", dependencies: [c, yaml] },
    ]);
  });
});
