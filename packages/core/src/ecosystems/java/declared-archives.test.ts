import { makeZip, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";
import { manifest, pom, pomXml } from "./fixtures/make-jar.ts";

const plain = makeZip({ "A.class": "", ...manifest({}) });

/** The packages of an image, without their repositories. */
async function packagesIn(...layers: readonly OddMember[][]): Promise<readonly string[]> {
  return listPackages(await indexLayers(layers)).map((line) => line.replace(/ \(maven.*?\)/, ""));
}

const dependency = (members: Readonly<Record<string, string>>) =>
  `<dependency>${Object.entries(members)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</dependency>`;

const own = "<groupId>com.acme</groupId><artifactId>shop</artifactId><version>3.1</version>";
const web = { groupId: "${project.groupId}", artifactId: "web", version: "${project.version}", type: "war" };
const lib = { groupId: "org.example", artifactId: "lib", version: "${libVersion}" };
const properties = "<properties><libVersion>1.2</libVersion></properties>";

/** An application whose model has these dependencies. */
function application(dependencies: readonly Readonly<Record<string, string>>[], members: Record<string, Uint8Array>) {
  const model = `${own}${properties}<dependencies>${dependencies.map(dependency).join("")}</dependencies>`;
  return makeZip({ ...pomXml("com.acme", "shop", model), ...members });
}

describe("findDeclared", () => {
  it.each<[string, string, string, Readonly<Record<string, string>>]>([
    ["a module without a version in its name", "web.war", "com.acme:web 3.1", web],
    ["a module with a version", "web-3.1.war", "com.acme:web 3.1", web],
    ["a module with the group before", "com.acme-web-3.1.war", "com.acme:web 3.1", web],
    ["a library", "lib/lib-1.2.jar", "org.example:lib 1.2", lib],
    ["a library whose version another model states", "lib/lib-1.3.jar", "org.example:lib 1.3", { ...lib, version: "" }],
    ["a library with a classifier", "lib/lib-1.2-linux.jar", "org.example:lib 1.2", { ...lib, classifier: "linux" }],
    ["another version", "lib/lib-1.3.jar", "lib 1.3", lib],
    ["another artifact", "lib/libs-1.2.jar", "libs 1.2", lib],
    ["another type", "web.jar", "web ", web],
    ["what is not in the archive", "lib/lib-1.2.jar", "lib 1.2", { ...lib, scope: "test" }],
  ])("takes the coordinates of %s from the model of the application: %s", async (_, path, expected, declared) => {
    const ear = application([declared], { [path]: plain });

    const found = await packagesIn([fileOf("app/shop-3.1.ear", ear)]);

    expect(found).toEqual(["com.acme:shop 3.1 app/shop-3.1.ear", `${expected} app/shop-3.1.ear:${path}`].sort());
  });

  it("takes it from the description of the archive itself, if there is one", async () => {
    const described = makeZip(pom("org.other", "lib", "1.2"));
    const war = application([lib], { "WEB-INF/lib/lib-1.2.jar": described });

    expect(await packagesIn([fileOf("ROOT.war", war)])).toContain("org.other:lib 1.2 ROOT.war:WEB-INF/lib/lib-1.2.jar");
  });

  it("does not choose between two declarations", async () => {
    const war = application([lib, { ...lib, groupId: "org.other" }], { "WEB-INF/lib/lib-1.2.jar": plain });

    expect(await packagesIn([fileOf("ROOT.war", war)])).toContain("lib 1.2 ROOT.war:WEB-INF/lib/lib-1.2.jar");
  });

  it.each([
    ["a program of Spring Boot", "app.jar", manifest({ "Start-Class": "a.B" }), "org.example:lib 1.2"],
    ["no library, which has no others in it", "app.jar", {}, "lib 1.2"],
  ])("reads the model of %s", async (_, name, members, expected) => {
    const path = "BOOT-INF/lib/lib-1.2.jar";
    const jar = application([lib], { [path]: plain, ...members } as Record<string, Uint8Array>);

    expect(await packagesIn([fileOf(name, jar)])).toContain(`${expected} ${name}:${path}`);
  });

  it("finds the modules of a module in an EAR", async () => {
    const war = application([lib], { "WEB-INF/lib/lib-1.2.jar": plain });

    expect(await packagesIn([fileOf("my.ear", makeZip({ "web.war": war }))])).toEqual([
      "com.acme:shop 3.1 my.ear:web.war",
      "my  my.ear",
      "org.example:lib 1.2 my.ear:web.war:WEB-INF/lib/lib-1.2.jar",
    ]);
  });
});

describe("splitNameInEar", () => {
  const named = (name: string) => manifest({ "Bundle-SymbolicName": name });

  it.each<[string, string, Record<string, string>, string]>([
    [
      "a known artifact",
      "org.postgresql-postgresql-42.7.1",
      { "org/postgresql/A.class": "" },
      "org.postgresql:postgresql 42.7.1",
    ],
    [
      "a known artifact without its classes",
      "org.postgresql-postgresql-42.7.1",
      {},
      "org.postgresql-postgresql 42.7.1",
    ],
    ["an artifact that is not known", "com.acme-lib-1.0", { "com/acme/A.class": "" }, "com.acme-lib 1.0"],
    [
      "an artifact with whose group its symbolic name agrees",
      "org.reactivestreams-reactive-streams-1.0.4",
      named("org.reactivestreams.reactive-streams"),
      "org.reactivestreams:reactive-streams 1.0.4",
    ],
    [
      "an artifact that has a dot itself",
      "jakarta.activation-api-2.1.0",
      { "jakarta/activation/A.class": "", ...named("jakarta.activation-api") },
      "jakarta.activation-api 2.1.0",
    ],
    ["an artifact that repeats its group", "commons-cli-commons-cli-1.0", {}, "commons-cli:commons-cli 1.0"],
  ])("reads the name of %s", async (_, name, members, expected) => {
    const ear = makeZip({ [`lib/${name}.jar`]: makeZip({ ...manifest({}), ...members }) });

    expect(await packagesIn([fileOf("my.ear", ear)])).toContain(`${expected} my.ear:lib/${name}.jar`);
  });
});
