import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../bytes/limits.ts";
import { FileInspection } from "../../layer/file-inspection.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import { createJavaDetector } from "./detector.ts";
import { manifest, pom } from "./fixtures/make-jar.ts";
import { makeJavaIndex, sha1 } from "./fixtures/make-java-index.ts";
import { readJavaIndex } from "./java-index.ts";

/** The coordinates of reported archives whose group today's facts did not show, or showed wrong. */
const reported = [
  "io.ktor:ktor-server-core-jvm:2.3.0",
  "com.squareup.retrofit2:retrofit:2.4.0",
  "com.github.ben-manes.caffeine:caffeine:3.1.8",
  "org.mongodb:mongo-java-driver:3.12.0",
  "org.lz4:lz4-java:1.8.0",
  "org.apache.geode:geode-core:1.14.0",
  "org.springframework.ws:spring-ws-core:3.1.1",
  "org.bouncycastle:bc-fips:1.0.2",
  "org.apache.cassandra:cassandra-all:3.11.4",
  "org.http4s:http4s-server_2.13:0.21.20",
  "struts:struts:1.2.9",
  "velocity:velocity:1.5",
  "net.sf.jasperreports:jasperreports:6.2.0",
  "com.oracle.database.jdbc:ojdbc8:21.1.0.0",
  "org.freemarker:freemarker:2.3.28",
  "org.directwebremoting:dwr:2.0.3",
  "org.springframework:spring:2.5.6",
  "com.google.code.findbugs:jsr305:3.0.2",
  "org.hibernate.common:hibernate-commons-annotations:6.0.6.Final",
  "org.elasticsearch:elasticsearch:7.10.0",
  "org.opensearch:opensearch:1.2.0",
  "io.projectreactor.netty:reactor-netty-http:1.0.10",
  "org.postgresql:postgresql:42.2.5",
  "com.graphql-java:graphql-java:17.3",
  "org.apache.xmlgraphics:fop:2.3",
  "org.apache.ant:ant:1.10.8",
  "commons-beanutils:commons-beanutils:1.8.3",
  "xalan:xalan:2.7.2",
  "org.apache.tomcat.embed:tomcat-embed-core:9.0.50",
  "com.google.protobuf:protobuf-java:3.19.0",
  "net.lingala.zip4j:zip4j:2.9.1",
  "org.yaml:snakeyaml:1.26",
] as const;

/** An archive that says nothing of its coordinates. Its content is its own. */
function jarOf(coordinates: string): Uint8Array {
  return makeZip({ "A.class": coordinates, ...manifest({ "Implementation-Vendor-Id": "com.sun" }) });
}

function openIndex(...coordinates: readonly string[]): JavaCoordinates {
  return readJavaIndex({ bytes: makeJavaIndex(coordinates.map((each) => [each, jarOf(each)])), state: "1", sha1 });
}

/** The packages in a file, and problems. */
function findIn(java: JavaCoordinates | undefined, path: string, bytes: Uint8Array): readonly string[] {
  const inspection = new FileInspection([createJavaDetector(java)], defaultLimits);
  const file = { path, contentPath: path, mode: 0, bytes };
  inspection.inspect({ path, kind: "file", sizeBytes: bytes.length, mode: 0 }, file);
  const found = Object.values(inspection.findings(() => true)).flat();
  return found.map((each) =>
    each.kind === "package"
      ? [each.package.name, each.package.version, ...(each.candidates ?? []), ...(each.otherIdentities ?? [])].join(" ")
      : `${each.kind} ${each.kind === "problem" ? each.message : ""}`,
  );
}

describe("readJavaIndex", () => {
  const java = openIndex(...reported);

  it.each(reported)("identifies %s by its bytes, however its file is named", (coordinates) => {
    const [group, artifact, version] = coordinates.split(":");
    const names = [`${artifact}-${version}.jar`, `${group}.${artifact}-${version}.jar`, "app.jar"];

    const found = names.flatMap((name) => findIn(java, `quarkus-app/lib/main/${name}`, jarOf(coordinates)));

    expect(found).toEqual(names.map(() => `${group}:${artifact} ${version}`));
  });

  it("identifies archives in archives", () => {
    const war = makeZip({ "WEB-INF/lib/x.jar": jarOf("velocity:velocity:1.5") });

    expect(findIn(java, "a.war", war)).toEqual(["a ", "velocity:velocity 1.5"]);
  });

  it("lists every artifact that was published with the same bytes", () => {
    const bytes = jarOf("velocity");
    const archives = ["velocity:velocity:1.5", "org.apache.velocity:velocity:1.5"].map(
      (each) => [each, bytes] as const,
    );
    const index = readJavaIndex({ bytes: makeJavaIndex(archives), state: "1", sha1 });

    expect(findIn(index, "velocity-1.5.jar", bytes).toSorted()).toEqual([
      "org.apache.velocity:velocity 1.5",
      "velocity:velocity 1.5",
    ]);
  });

  it("does not compute a digest of an archive that is named after its description", () => {
    const failing = { ...java, ofArchive: () => expect.fail("looked up") };

    expect(findIn(failing, "a-1.jar", makeZip(pom("g", "a", "1")))).toEqual(["g:a 1"]);
  });

  it("keeps descriptions of other packages in an archive that it identifies", () => {
    const archive = makeZip({ ...pom("g", "copied", "2"), ...pom("g", "own", "1") });
    const index = readJavaIndex({ bytes: makeJavaIndex([["g:own:1", archive]]), state: "1", sha1 });

    expect(findIn(index, "renamed-7.jar", archive)).toEqual(["g:own 1", "g:copied 2"]);
  });

  it("decides where the name of an archive has another version than its description", () => {
    const archive = makeZip(pom("g", "a", "1"));
    const [real, other] = ["g:a:2", "g:b:1"].map((each) =>
      readJavaIndex({ bytes: makeJavaIndex([[each, archive]]), state: "1", sha1 }),
    );

    expect(findIn(undefined, "a-2.jar", archive)).toEqual(["g:a 1 g:a 2 by the name of its file"]);
    expect(findIn(real, "a-2.jar", archive)).toEqual(["g:a 2 g:a 1 by its description"]);
    expect(findIn(other, "app.jar", archive)).toEqual(["g:b 1 g:a 1 by its description"]);
    expect(findIn(real, "a-1.jar", archive)).toEqual(["g:a 1"]);
  });

  it("gives no group to another archive of the name, but the groups of the name as candidates", () => {
    const index = openIndex("velocity:velocity:1.5", "org.apache.velocity:velocity:1.7");

    expect(findIn(index, "velocity-1.5.jar", makeZip({ "A.class": "other" }))).toEqual([
      "velocity 1.5 org.apache.velocity:velocity velocity:velocity",
    ]);
  });

  it("finds each of many archives", () => {
    const many = Array.from({ length: 3000 }, (_, at) => `g.h${at % 50}:a${at}:1.${at}`);
    const index = openIndex(...many);

    const found = many.map((each) => index.ofArchive(jarOf(each)));

    expect(found.map(([one]) => `${one?.group}:${one?.artifact}:${one?.version}`)).toEqual(many);
    expect(index.ofArchive(jarOf("none"))).toEqual([]);
    expect([index.groupsOf("a7"), index.groupsOf("a")]).toEqual([["g.h7"], []]);
  });

  it("reports a damaged index, and identifies the archive by other facts", () => {
    const bytes = makeJavaIndex([["velocity:velocity:1.5", jarOf("x")]]);
    const damaged = readJavaIndex({ bytes: bytes.fill(0, 4096), state: "1", sha1 });

    expect(findIn(damaged, ".m2/repository/g/a/1/a-1.jar", jarOf("x"))).toEqual([
      "problem expected a page of an index, found type 0",
      "g:a 1",
    ]);
  });

  it.each([
    ["another database", makeJavaIndex([]).fill(0, 100), "the schema is damaged"],
    ["another file", new TextEncoder().encode("{}"), 'expected "SQLite format 3"'],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => readJavaIndex({ bytes, state: "1", sha1 })).toThrow(message);
  });
});
