import { gzipSync } from "node:zlib";
import { buildTar, makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { manifest, pom, pomXml } from "./fixtures/make-jar.ts";
import { nativeImage, nativeImageSymbols, packedSbom } from "./fixtures/native-image.ts";

const log4j = pom("org.apache.logging.log4j", "log4j-core", "2.14.1");

/** The packages of an image with one file, without their repository and candidates. */
async function packagesIn(path: string, content: Uint8Array): Promise<readonly string[]> {
  return listPackages(await indexLayers([[fileOf(path, content)]])).map((line) => line.replace(/ \(maven.*?\)/, ""));
}

const image = "opt/java/lib/modules";

/** A run-time image with a resource in each module. */
function runTimeImage(modules: readonly string[], order: "big" | "little" = "little"): Uint8Array {
  const names = ["", "class", ...modules];
  const strings = Buffer.from(names.map((name) => `${name}\0`).join(""));
  const locations = modules.flatMap((_, index) => {
    const place = Buffer.byteLength(names.slice(0, index + 2).join("\0")) + 1;
    return [(1 << 3) | 1, place >> 8, place & 255, 3 << 3, 1, (7 << 3) | 2, 9, 9, 9, 0];
  });
  const numbers = [0xcafedada, 0x10000, 0, modules.length, modules.length, locations.length, strings.length];
  const tables = numbers.concat(new Array<number>(2 * modules.length).fill(0));
  const head = Buffer.alloc(4 * tables.length);
  for (const [at, value] of tables.entries())
    if (order === "big") head.writeUInt32BE(value, 4 * at);
    else head.writeUInt32LE(value, 4 * at);
  return Buffer.concat([head, Buffer.from(locations), strings, Buffer.alloc(20_000, 1)]);
}

describe("javaDetector", () => {
  it.each([
    ["pom.properties", "lib/log4j-core-2.14.1.jar", log4j, ["org.apache.logging.log4j:log4j-core 2.14.1"]],
    ["pom.properties with another file name", "app.jar", pom("com.example", "demo", "1.0"), ["com.example:demo 1.0"]],
    [
      "pom.properties of Gradle without a group",
      "log4j-core-2.14.1.jar",
      pom("unspecified", "x", "unspecified"),
      ["log4j-core 2.14.1"],
    ],
    ["pom.properties with a placeholder for the group", "a-1.jar", pom("null", "b", "2"), ["a 1"]],
    ["pom.properties with a placeholder for the version", "a-1.jar", pom("g.h", "a", "unspecified"), ["g.h:a 1"]],
    ["pom.properties with an extension in upper case", "A.JAR", pom("g", "a", "1"), ["g:a 1"]],
    [
      "the folder of pom.xml and the version of the name",
      "a-1.2.jar",
      { "META-INF/maven/g.h/a/pom.xml": "<project/>" },
      ["g.h:a 1.2"],
    ],
    [
      "the folder of pom.xml and the version of the manifest",
      "a.jar",
      { "META-INF/maven/g.h/a/pom.xml": "<project/>", ...manifest({ "Implementation-Version": "1.3 (x)" }) },
      ["g.h:a 1.3"],
    ],
    [
      "pom.xml",
      "app.jar",
      pomXml("g.h", "a", "<artifactId>a</artifactId><parent><groupId>g.h</groupId><version>1.4</version></parent>"),
      ["g.h:a 1.4"],
    ],
    [
      "pom.xml, and its name for an unresolved version",
      "a-1.5.jar",
      pomXml("g.h", "a", "<groupId>g.h</groupId><artifactId>a</artifactId><version>${revision}</version>"),
      ["g.h:a 1.5"],
    ],
    [
      "the folder of pom.xml, without a version if pom.xml does not resolve it",
      "app.jar",
      pomXml("g.h", "a", "<artifactId>a</artifactId><version>${revision}</version>"),
      ["g.h:a "],
    ],
    [
      "pom.properties rather than pom.xml",
      "app.jar",
      {
        ...pomXml("g", "a", "<groupId>x</groupId><artifactId>y</artifactId><version>9</version>"),
        ...pom("g", "a", "1"),
      },
      ["g:a 1"],
    ],
    [
      "the group that vendor and bundle agree on",
      "log4j-core-2.0.jar",
      manifest({
        "Implementation-Vendor-Id": "org.apache.logging.log4j",
        "Bundle-SymbolicName": "org.apache.logging.log4j.core;singleton:=true",
      }),
      ["org.apache.logging.log4j:log4j-core 2.0"],
    ],
    [
      "the group of a bundle with classes in its folder",
      "jackson-core.jar",
      {
        "com/fasterxml/jackson/core/JsonFactory.class": "",
        ...manifest({ "Bundle-SymbolicName": "com.fasterxml.jackson.core.jackson-core", "Bundle-Version": "2.9.8" }),
      },
      ["com.fasterxml.jackson.core:jackson-core 2.9.8"],
    ],
    [
      "no group of a vendor alone",
      "jaxb-impl-2.2.7.jar",
      { "com/sun/xml/bind/A.class": "", ...manifest({ "Implementation-Vendor-Id": "com.sun.xml.bind" }) },
      ["jaxb-impl 2.2.7"],
    ],
    [
      "no group of a bundle whose name several groups may have",
      "commons-lang3-3.9.jar",
      {
        "org/apache/commons/lang3/A.class": "",
        ...manifest({ "Bundle-SymbolicName": "org.apache.commons.lang3;singleton:=true" }),
      },
      ["commons-lang3 3.9"],
    ],
    [
      "no group of an organization, even if bundle and vendor agree",
      "a-b-1.jar",
      manifest({ "Implementation-Vendor-Id": "org.apache", "Bundle-SymbolicName": "org.apache.a-b" }),
      ["a-b 1"],
    ],
    [
      "pom.properties with the group in the file's name",
      "lib/main/g.h.a-1.5.4.Final-format-001.jar",
      pom("g.h", "a", "1.5.4.Final-format-001"),
      ["g.h:a 1.5.4.Final-format-001"],
    ],
    [
      "pom.properties, and the version of the file's name that counts on from it",
      "lib/main/g.h.mssql-jdbc-12.8.1.jre11.jar",
      pom("g.h", "mssql-jdbc", "12.8.1"),
      ["g.h:mssql-jdbc 12.8.1.jre11"],
    ],
    [
      "the known group of its classes in the file's name",
      "lib/org.postgresql.postgresql-42.7.1.jar",
      { "org/postgresql/Driver.class": "", ...manifest({ "Bundle-SymbolicName": "org.postgresql.jdbc" }) },
      ["org.postgresql:postgresql 42.7.1"],
    ],
    [
      "the group in a name of Quarkus that its classes confirm",
      "quarkus-app/lib/main/io.perfmark.perfmark-api-0.26.0.jar",
      { "io/perfmark/Tag.class": "" },
      ["io.perfmark:perfmark-api 0.26.0"],
    ],
    [
      "the group in a name of Quarkus whose artifact is named like a bundle",
      "quarkus-app/lib/main/jakarta.el.jakarta.el-api-5.0.1.jar",
      { "jakarta/el/ELContext.class": "" },
      ["jakarta.el:jakarta.el-api 5.0.1"],
    ],
    [
      "the group in a name of Quarkus that the artifact repeats",
      "quarkus-app/lib/main/commons-cli.commons-cli-1.0.jar",
      { "org/apache/commons/cli/Option.class": "" },
      ["commons-cli:commons-cli 1.0"],
    ],
    [
      "no group in a name of Quarkus that nothing confirms",
      "quarkus-app/lib/main/org.example.some-api-1.0.jar",
      { "some/A.class": "" },
      ["org.example.some-api 1.0"],
    ],
    [
      "the group in a name of sbt that its manifest confirms",
      "opt/docker/lib/org.typelevel.cats-core_2.13-2.9.0.jar",
      {
        "cats/A.class": "",
        ...manifest({ "Implementation-Vendor-Id": "org.typelevel", "Implementation-Title": "cats-core" }),
      },
      ["org.typelevel:cats-core_2.13 2.9.0"],
    ],
    [
      "the group in a name of sbt that the artifact repeats",
      "opt/docker/lib/com.typesafe.play.play_2.13-2.8.0.jar",
      {
        "A.class": "",
        ...manifest({ "Implementation-Vendor-Id": "com.typesafe.play", "Implementation-Title": "Play" }),
      },
      ["com.typesafe.play:play_2.13 2.8.0"],
    ],
    [
      "no group in the name of a bundle whose title is another",
      "lib/org.example.felix.framework-1.0.jar",
      {
        "A.class": "",
        ...manifest({ "Implementation-Vendor-Id": "org.example.felix", "Implementation-Title": "Example Framework" }),
      },
      ["org.example.felix.framework 1.0"],
    ],
    ["the version of a context of Tomcat", "webapps/shop##1.2.war", { "A.class": "" }, ["shop 1.2"]],
    ["no context of Tomcat that is no version", "webapps/shop##blue.war", { "A.class": "" }, ["shop "]],
    [
      "no group in the name of a bundle",
      "lib/javax.ws.rs-api-2.1.jar",
      { "javax/ws/rs/GET.class": "" },
      ["javax.ws.rs-api 2.1"],
    ],
    [
      "its folders in a local repository of Maven",
      "root/.m2/repository/org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar",
      { "A.class": "" },
      ["org.lz4:lz4-java 1.8.0"],
    ],
    [
      "the known artifact rather than folders below one that is named like a repository",
      "srv/repository/maven-releases/com/h2database/h2/1.4.200/h2-1.4.200.jar",
      { "org/h2/Driver.class": "" },
      ["com.h2database:h2 1.4.200"],
    ],
    [
      "the known artifact where the folders name no group",
      "opt/app/repository/plugins/h2/1.4.200/h2-1.4.200.jar",
      { "org/h2/Driver.class": "" },
      ["com.h2database:h2 1.4.200"],
    ],
    [
      "the end of its folders that the manifest confirms",
      "srv/repository/maven-releases/com/acme/a/1.4/a-1.4.jar",
      { "x/A.class": "", ...manifest({ "Bundle-SymbolicName": "com.acme" }) },
      ["com.acme:a 1.4"],
    ],
    [
      "the end of its folders that its classes confirm",
      "opt/jboss/modules/system/layers/base/com/acme/shop/a/1.4/a-1.4.jar",
      { "com/acme/shop/web/A.class": "" },
      ["com.acme.shop:a 1.4"],
    ],
    [
      "no group by folders that nothing confirms",
      "srv/repository/maven-releases/com/acme/a/1.4/a-1.4.jar",
      { "x/A.class": "" },
      ["a 1.4"],
    ],
    [
      "no group by folders that begin no group",
      "opt/app/repository/plugins/a/1.4/a-1.4.jar",
      { "x/A.class": "" },
      ["a 1.4"],
    ],
    [
      "its folders in a cache of Gradle",
      "c/modules-2/files-2.1/velocity/velocity/1.5/09f306baf7523ffc/velocity-1.5.jar",
      { "A.class": "" },
      ["velocity:velocity 1.5"],
    ],
    [
      "pom.properties of an artifact with a number in its name",
      "log4j-1.2-api.jar",
      pom("org.apache.logging.log4j", "log4j-1.2-api", "2.19.0"),
      ["org.apache.logging.log4j:log4j-1.2-api 2.19.0"],
    ],
    [
      "the known group rather than a vendor of many",
      "commons-logging-api-1.2.jar",
      {
        "org/apache/commons/logging/Log.class": "",
        ...manifest({ "Implementation-Vendor-Id": "org.apache" }),
      },
      ["commons-logging:commons-logging-api 1.2"],
    ],
    [
      "pom.properties, with the file name that distributions use",
      "geronimo-interceptor-3.0-spec.jar",
      pom("org.apache.geronimo.specs", "geronimo-interceptor_3.0_spec", "1.0"),
      ["org.apache.geronimo.specs:geronimo-interceptor_3.0_spec 1.0"],
    ],
    ["no group of a vendor of many", "x-1.2.jar", manifest({ "Implementation-Vendor-Id": "org.apache" }), ["x 1.2"]],
    [
      "the described version of a bundle, without the qualifier of its build",
      "com.google.gson_2.8.0.v2018.jar",
      { ...manifest({ "Bundle-SymbolicName": "com.google.gson" }), ...pom("com.google.code.gson", "gson", "2.8") },
      ["com.google.code.gson:gson 2.8"],
    ],
    ...(
      [
        ["bcmail-jdk15on-160.jar", "1.60.0", "bcmail-jdk15on 1.60"],
        ["x-11.jar", "10.14.2", "x "],
        ["x-20240101.jar", "42.2.5", "x "],
        ["x-17.jar", "2.5.30", "x "],
        ["x-8.99.0.jar", "7.10.0", "x "],
        ["x-1.0-beta-2.jar", "1.0.0.beta-2", "x 1.0-beta-2"],
        ["x-12.2.0.jre11.jar", "12.2.0", "x 12.2.0.jre11"],
        ["x-1.4.jar", "1.4.0_b12", "x 1.4"],
        ["x-2.0.1.jar", "unknown", "x 2.0.1"],
      ] as const
    ).map(([path, version, expected]): [string, string, Record<string, string>, string[]] => [
      `the version that name and manifest agree on: ${version}`,
      path,
      manifest({ "Implementation-Version": version }),
      [expected],
    ]),
    ["no group of a bundle of another name", "a-1.jar", manifest({ "Bundle-SymbolicName": "org.example.b" }), ["a 1"]],
    [
      "a plug-in of Jenkins",
      "git.hpi",
      manifest({ "Group-Id": "org.jenkins-ci.plugins", "Short-Name": "git", "Plugin-Version": "4.11.3" }),
      ["org.jenkins-ci.plugins:git 4.11.3"],
    ],
    [
      "the known group of its classes",
      "spring-web-5.3.20.jar",
      { "org/springframework/web/Filter.class": "" },
      ["org.springframework:spring-web 5.3.20"],
    ],
    [
      "the known artifact of its classes, with another file name",
      "lib/catalina.jar",
      { "org/apache/catalina/Host.class": "", ...manifest({ "Implementation-Version": "9.0.63" }) },
      ["org.apache.tomcat:tomcat-catalina 9.0.63"],
    ],
    [
      "the part of Tomcat that starts it",
      "bin/bootstrap.jar",
      manifest({ "Implementation-Title": "Apache Tomcat Bootstrap", "Implementation-Version": "9.0.10" }),
      ["org.apache.tomcat:tomcat 9.0.10"],
    ],
    [
      "the part of Tomcat that programs contain, which has a group of its own",
      "WEB-INF/lib-provided/tomcat-embed-core-9.0.63.jar",
      manifest({ "Implementation-Title": "Apache Tomcat", "Implementation-Version": "9.0.63" }),
      ["org.apache.tomcat.embed:tomcat-embed-core 9.0.63"],
    ],
    [
      "the part of Tomcat that programs contain, as Quarkus names it",
      "lib/main/org.apache.tomcat.embed.tomcat-embed-core-9.0.63.jar",
      manifest({ "Implementation-Title": "Apache Tomcat", "Implementation-Version": "9.0.63" }),
      ["org.apache.tomcat.embed:tomcat-embed-core 9.0.63"],
    ],
    [
      "the build of Tomcat, without the version of the specification",
      "lib/servlet-api.jar",
      manifest({
        "X-Compile-Target-JDK": "11",
        "Implementation-Vendor": "Apache Software Foundation",
        "Implementation-Version": "6.0.FR",
      }),
      ["org.apache.tomcat:tomcat-servlet-api "],
    ],
    [
      "the known group of a wrapper of builds",
      "gradle-wrapper.jar",
      { "org/gradle/wrapper/Download.class": "", ...manifest({ "Implementation-Title": "Gradle Wrapper" }) },
      ["org.gradle:gradle-wrapper "],
    ],
    [
      "the known group of its version",
      "groovy-4.0.1.jar",
      { "groovy/lang/Script.class": "" },
      ["org.apache.groovy:groovy 4.0.1"],
    ],
    [
      "its name and version: micronaut-security-oauth2-3.2.0",
      "micronaut-security-oauth2-3.2.0.jar",
      { "io/micronaut/A.class": "" },
      ["micronaut-security-oauth2 3.2.0"],
    ],
    [
      "its name and version: micronaut-http-client-3.2.0",
      "micronaut-http-client-3.2.0.jar",
      { "io/micronaut/A.class": "" },
      ["io.micronaut:micronaut-http-client 3.2.0"],
    ],
    [
      "its name and version: scala-xml_2.13-2.0.1",
      "scala-xml_2.13-2.0.1.jar",
      { "scala/A.class": "" },
      ["org.scala-lang.modules:scala-xml_2.13 2.0.1"],
    ],
    [
      "its name and version: scala-library-2.13.8",
      "scala-library-2.13.8.jar",
      { "scala/A.class": "" },
      ["org.scala-lang:scala-library 2.13.8"],
    ],
    [
      "its name and version: elasticsearch-rest-high-level-client-7.10.0",
      "elasticsearch-rest-high-level-client-7.10.0.jar",
      { "org/elasticsearch/A.class": "" },
      ["elasticsearch-rest-high-level-client 7.10.0"],
    ],
    ["its name and version: c3p0-0.9.1.2", "c3p0-0.9.1.2.jar", { "com/mchange/A.class": "" }, ["c3p0:c3p0 0.9.1.2"]],
    [
      "its name and version: c3p0-0.9.5.5",
      "c3p0-0.9.5.5.jar",
      { "com/mchange/A.class": "" },
      ["com.mchange:c3p0 0.9.5.5"],
    ],
    ["its name and version: hsqldb-1.8.0.10", "hsqldb-1.8.0.10.jar", { "org/hsqldb/A.class": "" }, ["hsqldb 1.8.0.10"]],
    [
      "its name and version: postgresql-42.2.5",
      "postgresql-42.2.5.jar",
      { "org/postgresql/A.class": "" },
      ["org.postgresql:postgresql 42.2.5"],
    ],
    ["its name and version: jsch-0.2.9", "jsch-0.2.9.jar", { "com/jcraft/jsch/A.class": "" }, ["jsch 0.2.9"]],
    [
      "its name and version: bcprov-jdk14-138",
      "bcprov-jdk14-138.jar",
      { "org/bouncycastle/A.class": "" },
      ["bcprov-jdk14 138"],
    ],
    [
      "its name and version: bcprov-jdk15on-1.70",
      "bcprov-jdk15on-1.70.jar",
      { "org/bouncycastle/A.class": "" },
      ["org.bouncycastle:bcprov-jdk15on 1.70"],
    ],
    [
      "its name and version: akka-stream-alpakka-s3_2.13-3.0.4",
      "akka-stream-alpakka-s3_2.13-3.0.4.jar",
      { "akka/A.class": "" },
      ["akka-stream-alpakka-s3_2.13 3.0.4"],
    ],
    [
      "its name and version: akka-actor_2.13-2.6.19",
      "akka-actor_2.13-2.6.19.jar",
      { "akka/A.class": "" },
      ["com.typesafe.akka:akka-actor_2.13 2.6.19"],
    ],
    [
      "its name and version: lucene-core-1.9.1",
      "lucene-core-1.9.1.jar",
      { "org/apache/lucene/A.class": "" },
      ["lucene-core 1.9.1"],
    ],
    [
      "its name and version: lucene-core-9.1.0",
      "lucene-core-9.1.0.jar",
      { "org/apache/lucene/A.class": "" },
      ["org.apache.lucene:lucene-core 9.1.0"],
    ],
    [
      "its name and version: spring-security-oauth2-2.5.1",
      "spring-security-oauth2-2.5.1.jar",
      { "org/springframework/security/A.class": "" },
      ["spring-security-oauth2 2.5.1"],
    ],
    ["its name and version: poi-2.5.1", "poi-2.5.1.jar", { "org/apache/poi/A.class": "" }, ["poi 2.5.1"]],
    ["no group for classes elsewhere", "spring-web-5.3.20.jar", { "org/myorg/A.class": "" }, ["spring-web 5.3.20"]],
    ["its name if there is nothing else", "tools.jar", { "A.class": "" }, ["tools "]],
  ])("identifies an archive by %s", async (_, path, content, expected) => {
    expect(await packagesIn(path, makeZip(content))).toEqual(expected.map((each) => `${each} ${path}`));
  });

  it.each<[string, Uint8Array]>([
    ["with a script of the shell before it", makeZip(log4j, { program: "#!/bin/bash\nexec java -jar $0\n" })],
    ["alone", makeZip(log4j)],
  ])("finds the packages of an executable archive without an extension, %s", async (_, bytes) => {
    const report = await indexLayers([[fileOf("usr/local/bin/run", bytes, 0o755)]]);

    expect(listPackages(report)).toEqual([expect.stringContaining("org.apache.logging.log4j:log4j-core 2.14.1")]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["a bundle", "a.jar", { "Bundle-SymbolicName": "org.x.a" }, "org.x:a org.x.a:a"],
    ["a vendor", "a.jar", { "Implementation-Vendor-Id": "org.x" }, "org.x:a"],
    ["a file's name", "org.x.y.a-1.jar", {}, "org.x.y:a"],
    ["a place", "srv/repository/releases/com/acme/a/1/a-1.jar", {}, "com.acme:a :a"],
  ])("keeps the names that %s makes possible as candidates", async (_, path, attributes, expected) => {
    const [line] = listPackages(await indexLayers([[fileOf(path, makeZip(manifest(attributes)))]]));

    expect(line).toContain(`(maven ${expected})`);
  });

  it.each([
    ["one folder", ["com/acme/shop/A.class", "com/acme/shop/b/B.class"], "com.acme:shop"],
    ["a folder below a top level", ["org/h2/A.class"], "org.h2:h2"],
    ["folders of several makers", ["com/acme/shop/A.class", "q/app/B.class"], "com.acme:shop"],
  ])("keeps what its classes suggest for a renamed archive as candidates: %s", async (_, classes, expected) => {
    const content = makeZip(Object.fromEntries(classes.map((name) => [name, ""])));
    const [line] = listPackages(await indexLayers([[fileOf("lib.jar", content)]]));

    expect(line).toContain(`(maven ${expected})`);
  });

  it.each([
    ["of its name", "a-1.4.pom", "a-1.4.jar", "com.acme:a 1.4"],
    ["of its name with a classifier", "a-1.4.pom", "a-1.4-uber.jar", "com.acme:a 1.4"],
    ["of another artifact", "a-1.4.pom", "b-1.4.jar", "b 1.4"],
    ["that is not named after its artifact", "b-1.4.pom", "b-1.4.jar", "b 1.4"],
  ])("takes the coordinates of the model beside an archive, %s", async (_, model, name, expected) => {
    const ids = "<groupId>com.acme</groupId><artifactId>a</artifactId><version>1.4</version>";
    const archive = fileOf(`opt/mirror/${name}`, makeZip({ "x/A.class": "" }));

    const report = await indexLayers([[archive], [fileOf(`opt/mirror/${model}`, `<project>${ids}</project>`)]]);

    expect(listPackages(report)).toEqual([expect.stringMatching(new RegExp(`^${expected} `))]);
  });

  it("lists packages that were copied into an archive with their place, and the archive itself", async () => {
    const guava = pom("com.google.guava", "guava", "30.1-jre");
    const packages = await packagesIn("opt/agent-1.0.jar", makeZip({ ...log4j, ...guava }));

    expect(packages).toEqual([
      "agent 1.0 opt/agent-1.0.jar",
      "com.google.guava:guava 30.1-jre opt/agent-1.0.jar:META-INF/maven/com.google.guava/guava/pom.properties",
      "org.apache.logging.log4j:log4j-core 2.14.1 opt/agent-1.0.jar:META-INF/maven/org.apache.logging.log4j/log4j-core/pom.properties",
    ]);
  });

  it.each([
    ["whose name is one of them", "log4j-core-2.14.1.jar", "log4j-core-2.14.1.jar"],
    [
      "whose name is one of them with the group",
      "org.apache.logging.log4j.log4j-core.jar",
      "org.apache.logging.log4j.log4j-core.jar",
    ],
    [
      "without a version in its name",
      "app.jar",
      "app.jar:META-INF/maven/org.apache.logging.log4j/log4j-core/pom.properties",
    ],
  ])("does not list an archive twice %s", async (_, path, place) => {
    const packages = await packagesIn(path, makeZip({ ...pom("g", "b", "1"), ...log4j }));

    expect(packages).toEqual([
      `g:b 1 ${path}:META-INF/maven/g/b/pom.properties`,
      `org.apache.logging.log4j:log4j-core 2.14.1 ${place}`,
    ]);
  });

  it.each([
    ["no version", "<groupId>g</groupId><artifactId>a</artifactId>", []],
    ["the same version", "<groupId>g</groupId><artifactId>a</artifactId><version>1</version>", []],
    ["another version", "<groupId>g</groupId><artifactId>a</artifactId><version>2</version>", ["g:a 2"]],
  ])(
    "lists the pom.xml of an artifact that has pom.properties elsewhere only if the version differs: %s",
    async (_, model, more) => {
      const copied = Object.entries(pomXml("g", "a", model)).map(([path, text]) => [`WEB-INF/classes/${path}`, text]);
      const packages = await packagesIn("a.jar", makeZip({ ...Object.fromEntries(copied), ...pom("g", "a", "1") }));

      const place = "a.jar:WEB-INF/classes/META-INF/maven/g/a/pom.xml";
      expect(packages).toEqual(["g:a 1 a.jar", ...more.map((each) => `${each} ${place}`)]);
    },
  );

  it("does not identify an archive as the one artifact copied into it if its bundle has another name", async () => {
    const bundle = manifest({ "Bundle-SymbolicName": "com.google.inject", "Bundle-Version": "4.2.3" });
    const classes = { "com/google/inject/Key.class": "" };
    const packages = await packagesIn("guice.jar", makeZip({ ...classes, ...bundle, ...pom("cglib", "cglib", "3.2") }));

    expect(packages).toEqual([
      "cglib:cglib 3.2 guice.jar:META-INF/maven/cglib/cglib/pom.properties",
      "com.google.inject:guice 4.2.3 guice.jar",
    ]);
  });

  it.each(["stored", "deflated"] as const)("reads archives in archives that are %s", async (method) => {
    const inner = makeZip({ ...log4j });
    const war = makeZip({ "WEB-INF/lib/c.jar": inner, ...pom("g", "b", "2") }, { method });
    const ear = makeZip({ "b.war": war }, { method });

    expect(await packagesIn("opt/a.ear", ear)).toEqual([
      "a  opt/a.ear",
      "g:b 2 opt/a.ear:b.war",
      "org.apache.logging.log4j:log4j-core 2.14.1 opt/a.ear:b.war:WEB-INF/lib/c.jar",
    ]);
  });

  it("uses the name of a nested archive, not the manifest of the outer one", async () => {
    const jar = makeZip({ "b-3.jar": makeZip({ "c-2.jar": makeZip({ "A.class": "" }) }) });

    expect(await packagesIn("opt/a-4.jar", jar)).toEqual([
      "a 4 opt/a-4.jar",
      "b 3 opt/a-4.jar:b-3.jar",
      "c 2 opt/a-4.jar:b-3.jar:c-2.jar",
    ]);
  });

  it("reads the archives of an enterprise archive: modules, their libraries and connectors", async () => {
    const war = makeZip({ ...pom("g", "web", "2"), "WEB-INF/lib/log4j-core-2.14.1.jar": makeZip({ ...log4j }) });
    const rar = makeZip({ ...pom("g", "connector", "3"), "driver-1.0.jar": makeZip(pom("g", "driver", "1.0")) });
    const ear = makeZip({ ...pom("g", "app", "1"), "web-2.war": war, "connector-3.rar": rar, "lib/x.rar": "Rar!" });

    expect(await packagesIn("opt/app-1.ear", ear)).toEqual([
      "g:app 1 opt/app-1.ear",
      "g:connector 3 opt/app-1.ear:connector-3.rar",
      "g:driver 1.0 opt/app-1.ear:connector-3.rar:driver-1.0.jar",
      "g:web 2 opt/app-1.ear:web-2.war",
      "org.apache.logging.log4j:log4j-core 2.14.1 opt/app-1.ear:web-2.war:WEB-INF/lib/log4j-core-2.14.1.jar",
    ]);
  });

  it("reads the archives of an executable archive", async () => {
    const jar = makeZip(
      { ...pom("com.example", "demo", "1.0"), "BOOT-INF/lib/log4j-core-2.14.1.jar": makeZip({ ...log4j }) },
      { method: "stored", program: "#!/bin/sh\nexec java -jar $0\n", offsetsFrom: "archive" },
    );

    expect(await packagesIn("srv/demo.jar", jar)).toEqual([
      "com.example:demo 1.0 srv/demo.jar",
      "org.apache.logging.log4j:log4j-core 2.14.1 srv/demo.jar:BOOT-INF/lib/log4j-core-2.14.1.jar",
    ]);
  });

  it.each([
    ["in the archive", (files: Record<string, Uint8Array>) => [fileOf("srv/app.jar", makeZip(files))]],
    [
      "unpacked",
      (files: Record<string, Uint8Array>) =>
        Object.entries(files).map(([path, content]) => fileOf(`srv/${path}`, content)),
    ],
  ])("has a package for each archive that the lists of Spring Boot name, %s", async (_, layerOf) => {
    const libraries = {
      "BOOT-INF/lib/log4j-core-2.14.1.jar": makeZip({ ...log4j }),
      "BOOT-INF/lib/spring-jcl-6.1.6.jar": makeZip({ "org/springframework/jcl/A.class": "" }),
      "BOOT-INF/lib/own.jar": makeZip({ "own/A.class": "" }),
    };
    const paths = Object.keys(libraries);
    const lists = {
      "BOOT-INF/classpath.idx": Buffer.from(paths.map((path) => `- "${path}"\n`).join("")),
      "BOOT-INF/layers.idx": Buffer.from(`- "dependencies":\n${paths.map((path) => `  - "${path}"\n`).join("")}`),
    };

    const found = listPackages(await indexLayers([layerOf({ ...lists, ...libraries })]));

    for (const path of paths) expect(found.filter((line) => line.endsWith(path))).toHaveLength(1);
  });

  it("takes the parts of an Android library for no packages, but finds what is in them", async () => {
    const classes = makeZip({ "androidx/core/A.class": "", ...log4j });
    const library = makeZip({
      ...{ "AndroidManifest.xml": "<manifest/>", "R.txt": "", "classes.jar": classes },
      ...{ "api.jar": makeZip({}), "lint.jar": makeZip({ "lint/A.class": "" }) },
      "libs/a-1.jar": makeZip(pom("g", "a", "1")),
    });

    expect(await packagesIn("opt/core-1.12.0.aar", library)).toEqual([
      "core 1.12.0 opt/core-1.12.0.aar",
      "g:a 1 opt/core-1.12.0.aar:libs/a-1.jar",
      "org.apache.logging.log4j:log4j-core 2.14.1 opt/core-1.12.0.aar:classes.jar",
    ]);
    expect(await packagesIn("opt/b.zip.jar", makeZip({ "classes.jar": makeZip({ "a/A.class": "" }) }))).toContain(
      "classes  opt/b.zip.jar:classes.jar",
    );
  });

  const bootVersion = (version: string) => manifest({ "Spring-Boot-Version": version });
  const loader = "org/springframework/boot/loader";

  it.each([
    ["3.1.4", `${loader}/JarLauncher.class`, "spring-boot-loader 3.1.4"],
    ["4.0.7", `${loader}/launch/JarLauncher.class`, "spring-boot-loader 4.0.7"],
    ["3.2.0", `${loader}/JarLauncher.class`, "spring-boot-loader-classic 3.2.0"],
  ])("finds the loader of Spring Boot %s", async (version, path, expected) => {
    const jar = makeZip({ ...pom("g", "app", "1"), ...bootVersion(version), [path]: "" });

    expect(await packagesIn("app.jar", jar)).toEqual([
      "g:app 1 app.jar",
      `org.springframework.boot:${expected} app.jar:org/springframework/boot/loader`,
    ]);
  });

  it.each([
    ["without its classes", { ...bootVersion("3.1.4"), "org/springframework/boot/A.class": "" }],
    ["without a version", { [`${loader}/JarLauncher.class`]: "" }],
  ])("finds no loader of Spring Boot %s", async (_, entries) => {
    expect(await packagesIn("app.jar", makeZip({ ...pom("g", "app", "1"), ...entries }))).toEqual(["g:app 1 app.jar"]);
  });

  const runtime = {
    "Specification-Title": "Java Platform API Specification",
    "Implementation-Title": "Java Runtime Environment",
  };

  it.each([
    ["quarkus-app/quarkus/generated-bytecode.jar", { "A.class": "" }, 0],
    ["quarkus-app/quarkus/transformed-bytecode.jar", { "A.class": "" }, 0],
    ["app/run.jar", manifest({ "Main-Class": "io.quarkus.bootstrap.runner.QuarkusEntryPoint" }), 0],
    ["app/run.jar", manifest({ "Main-Class": "com.example.Main" }), 1],
    ["app/generated-bytecode.jar", { "A.class": "" }, 1],
    ["opt/java/openjdk/lib/jrt-fs.jar", manifest(runtime), 0],
    ["usr/local/openjdk-8/jre/lib/rt.jar", manifest(runtime), 0],
    ["app/rt.jar", manifest({ "Implementation-Title": runtime["Implementation-Title"] }), 1],
  ])(
    "takes what a build of Quarkus made, and parts of a Java runtime, for no package: %s %j",
    async (path, entries, packages) => {
      expect(await packagesIn(path, makeZip(entries))).toHaveLength(packages);
    },
  );

  describe("where the facts about an archive do not agree", () => {
    const others = async (path: string, entries: Readonly<Record<string, string>>) => {
      const { repositories } = await indexLayers([[fileOf(path, makeZip(entries))]]);
      return Object.values(repositories).flatMap(({ key, name }) => (key === "other-identity" ? [name] : []));
    };

    it.each<[string, string, Record<string, string>, string[]]>([
      [
        "another version",
        "log4j-core-2.17.1.jar",
        log4j,
        ["org.apache.logging.log4j:log4j-core 2.17.1 by the name of its file"],
      ],
      ["the same version", "log4j-core-2.14.1.jar", log4j, []],
      ["no version", "log4j-core.jar", log4j, []],
      ["the time of a snapshot", "a-1.0-20230101.123456-1.jar", pom("g", "a", "1.0-SNAPSHOT"), []],
      ["a longer version", "jdbc-12.8.1.jre11.jar", pom("g", "jdbc", "12.8.1"), []],
      ["a classifier", "native-2.0.84.Final-linux-x86_64.jar", pom("g", "native", "2.0.84.Final"), []],
      [
        "a version that the manifest contradicts",
        "elasticsearch-8.99.0.jar",
        manifest({ "Implementation-Version": "7.10.0" }),
        [":elasticsearch 7.10.0 by its manifest", ":elasticsearch 8.99.0 by the name of its file"],
      ],
      ["a version that the manifest shortens", "a-1.2.3-jre.jar", manifest({ "Bundle-Version": "1.2" }), []],
    ])("keeps what a name with %s says", async (_, path, entries, expected) => {
      expect(await others(path, entries)).toEqual(expected);
    });
  });

  it("drops the packages of an archive that a later layer removes", async () => {
    const jar = makeZip({ "lib/c.jar": makeZip({ ...log4j }) });

    const report = await indexLayers([[fileOf("opt/a.jar", jar)], [fileOf("opt/.wh.a.jar", "")]]);

    expect(listPackages(report)).toEqual([]);
  });

  it.each([
    ["an empty file", "a.jar", ""],
    ["a file that shares the extension", "backup.par", "PAR2\0PKT"],
  ])("ignores %s", async (_, path, content) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect([listPackages(report), listProblems(report), report.coverage.unassessed]).toEqual([[], [], []]);
  });
});

describe("unpackedDetector", () => {
  const properties = "groupId=org.jenkins-ci.main\nartifactId=jenkins-war\nversion=2.440.1\n";
  const model = "<project><artifactId>jenkins-war</artifactId><version>2.440.1</version></project>";

  it.each([
    ["an unpacked application", "app/META-INF/maven/org.jenkins-ci.main/jenkins-war/pom.properties", properties, 1],
    ["no build", "app/target/classes/META-INF/maven/org.jenkins-ci.main/jenkins-war/pom.properties", properties, 0],
    ["no file without a version", "app/META-INF/maven/g/a/pom.properties", "groupId=g\n", 0],
    ["no file of another folder", "app/g/a/pom.properties", properties, 0],
    ["an application with its model alone", "app/META-INF/maven/org.jenkins-ci.main/jenkins-war/pom.xml", model, 1],
    ["no model of a build", "app/target/META-INF/maven/org.jenkins-ci.main/jenkins-war/pom.xml", model, 0],
  ])("finds %s", async (_, path, content, count) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual(Array(count).fill(`org.jenkins-ci.main:jenkins-war 2.440.1 (maven) ${path}`));
  });

  it("counts an application once that has both descriptions", async () => {
    const path = "app/META-INF/maven/org.jenkins-ci.main/jenkins-war/pom";
    const report = await indexLayers([[fileOf(`${path}.xml`, model)], [fileOf(`${path}.properties`, properties)]]);

    expect(listPackages(report)).toEqual([`org.jenkins-ci.main:jenkins-war 2.440.1 (maven) ${path}.properties`]);
  });
});

describe("zipDetector", () => {
  const jar = makeZip(pom("g", "a", "1"));
  const server = buildTar(fileOf("a/b.txt", "x".repeat(70_001)), fileOf("a/lib/a.jar", jar));
  const zip = makeZip({ "lib/a.jar": jar, "node_modules/b/package.json": '{"name":"b","version":"2"}' });

  it.each([
    ["the packages in a zip archive", "opt/b.zip", zip, ["b 2 (npm)", "g:a 1 (maven)"]],
    [
      "the packages in an extension of Visual Studio Code",
      "opt/b.vsix",
      makeZip({ "extension/node_modules/b/package.json": '{"name":"b","version":"2"}' }),
      ["b 2 (npm)"],
    ],
    [
      "the packages in an extension of Chrome",
      "opt/b.crx",
      Buffer.concat([
        Buffer.from("Cr24\x03\0\0\0\x04\0\0\0abcd"),
        makeZip({ "node_modules/b/package.json": '{"name":"b","version":"2"}' }),
      ]),
      ["b 2 (npm)"],
    ],
    [
      "the archives in a module of NetBeans",
      "opt/b.nbm",
      makeZip({ "netbeans/modules/a.jar": jar }),
      ["g:a 1 (maven)"],
    ],
    ["nothing in one for tests", "src/testdata/b.zip", makeZip({ "lib/a.jar": jar }), []],
    ["nothing in one without packages", "opt/fonts.zip", makeZip({ "a.ttf": "" }), []],
    ["nothing in another file of that name", "opt/b.zip", "text", []],
  ])("finds %s", async (_, path, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report).map((line) => line.replace(/ opt\/.*/, ""))).toEqual(expected);
    expect(report.coverage.status).toBe("complete");
  });

  it.each<[string, string, readonly string[], (Uint8Array | string)?]>([
    ["a module of Java is named, which is not read", "opt/lib/acme.jmod", ["java"]],
    ["a compressed archive of an older form is named", "opt/lib/a.jar.pack.gz", ["java"]],
    ["a module of the Java runtime is a part of it", "opt/jdk/jmods/java.base.jmod", []],
    ["a module of a vendor of Java is a part of it", "opt/jdk/jmods/com.azul.tooling.jmod", []],
    ["a run-time image with an application is named", image, ["java"], runTimeImage(["java.base", "com.acme.shop"])],
    ["one of the other byte order is named", image, ["java"], runTimeImage(["com.acme.shop"], "big")],
    [
      "one of Java alone is a part of it",
      image,
      [],
      runTimeImage(["java.base", "jdk.net", "packages", "com.azul.crs"]),
    ],
    ["one whose index is too large is named", image, ["java"], runTimeImage(["java.base"]).fill(0x7f, 16, 24)],
    ["one that is cut is none", image, [], runTimeImage(["com.acme.shop"]).subarray(0, 60)],
    ["a run-time image at another place is none", "opt/modules", [], runTimeImage(["com.acme.shop"])],
    ["a distribution with archives is named", "opt/b.tar.gz", ["java"], gzipSync(server)],
    ["a distribution with archives is named, in parts", "opt/b.tgz", ["java"], gzipSync(server, { level: 0 })],
    ["a distribution without archives is none", "opt/b.tgz", [], gzipSync(buildTar(fileOf("a/b.txt", "jar")))],
    ["a distribution for tests is none", "src/testdata/b.tgz", [], gzipSync(server)],
    ["a damaged distribution is none", "opt/b.tgz", [], gzipSync(server).fill(7, 20)],
    ["a compressed file is none", "opt/b.tgz", [], gzipSync("a".repeat(5000))],
  ])("%s", async (_, path, expected, content: Uint8Array | string = "JM\u0001") => {
    const { coverage } = await indexLayers([[fileOf(path, content)]]);

    expect(coverage.unassessed.map(({ kind }) => kind)).toEqual(expected);
  });
});

describe("nativeImageDetector", () => {
  it.each([
    ["the packages of its bill of materials", nativeImage(), ["g:gson 2.8.0 (maven) app/a"], [], []],
    ["evidence of packages without one", nativeImage({}), [], ["java"], []],
    ["evidence without its length", nativeImage({ sbom: 0x20008 }), [], ["java"], []],
    ["a problem of a damaged one", nativeImage(nativeImageSymbols, packedSbom.subarray(0, 40)), [], [], ["app/a"]],
    ["a problem of one elsewhere", nativeImage({ ...nativeImageSymbols, sbom: 0x90000 }), [], [], ["app/a"]],
    [
      "a problem of one that unpacks to too much",
      nativeImage(nativeImageSymbols, gzipSync(new Uint8Array(65 * 1024 ** 2))),
      [],
      [],
      ["app/a"],
    ],
  ])("finds %s", async (_, program, packages, unassessed, problems) => {
    const report = await indexLayers([[fileOf("app/a", program, 0o755)]]);

    expect(listPackages(report)).toEqual(packages);
    expect(report.coverage.unassessed.map(({ kind }) => kind)).toEqual(unassessed);
    expect(listProblems(report)).toEqual(problems.map((path) => expect.stringContaining(path)));
  });

  const launcher = manifest({ "Main-Class": "org.springframework.boot.loader.wrapper.ThinJarWrapper" });
  it.each([
    ["that lists its dependencies", { "META-INF/thin.properties": "dependencies.a: g.h:a:1" }, 1],
    ["that fetches its dependencies", launcher, 1],
    ["with another list", { "META-INF/other.properties": "dependencies.a: g.h:a:1" }, 0],
  ])("counts as not assessed a thin archive of Spring Boot: %s", async (_, files, count) => {
    const content = makeZip({ ...files, ...pom("com.acme", "app", "1.0") });
    const { coverage } = await indexLayers([[fileOf("app/app.jar", content)]]);

    const found = coverage.unassessed.map(({ kind, evidence }) => `${kind} ${evidence[0]?.path}`);
    expect(found).toEqual(count === 0 ? [] : ["java app/app.jar"]);
  });
});
