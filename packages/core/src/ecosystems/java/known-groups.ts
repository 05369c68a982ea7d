import type { ArchiveName } from "./archive-name.ts";

/** An artifact whose archive does not state its group, because it is not built by Maven. */
interface KnownGroup {
  readonly artifact: string;
  /** The folder of its classes. */
  readonly classes: string;
  readonly group: string;
}

type Row = readonly [artifact: string, classes: string, group: string, published?: string];

const akka = (name: string): Row => [`akka-${name}`, "akka/", "com.typesafe.akka"];
const elastic = (name: string): Row => [`elasticsearch-${name}`, "org/elasticsearch/", "org.elasticsearch"];
const telemetry = (name: string): Row => [`opentelemetry-${name}`, "io/opentelemetry/", "io.opentelemetry"];

/** Other artifacts of Micronaut have groups of their own: `io.micronaut.data`. */
const micronautCore =
  "aop buffer-netty context context-propagation core core-processor core-reactive discovery-core function function-client function-web graal http http-client http-client-core http-client-jdk http-netty http-server http-server-netty http-validation inject inject-java jackson-core jackson-databind json-core management messaging retry router runtime websocket".split(
    " ",
  );
/** Others have groups of their own: `org.springframework.security.extensions`. */
const springSecurity =
  "acl aspects cas config core crypto data ldap messaging oauth2-client oauth2-core oauth2-jose oauth2-resource-server openid remoting rsocket saml2-service-provider taglibs test web".split(
    " ",
  );

/**
 * The known artifacts by archive name; with `*`, which stands for anything, by the beginning of the name with its version. The first matching
 * row counts. A name that stood for artifacts of several groups has only the versions of one. `published` is the artifact's name if it differs. A row matches only an archive with classes in that folder, because anyone can name an archive
 * `spring-web`.
 */
const rows: readonly Row[] = [
  ...[
    "actor*",
    "cluster*",
    "coordination*",
    "discovery_*",
    "distributed-data*",
    "http*",
    "parsing*",
    "persistence_*",
  ].map(akka),
  ...[
    "persistence-query*",
    "persistence-typed*",
    "pki*",
    "protobuf*",
    "remote*",
    "serialization-jackson*",
    "slf4j*",
  ].map(akka),
  ...["stream_*", "stream-testkit*", "stream-typed*", "testkit*"].map(akka),
  ...["1.7", "1.8", "1.9", "1.10"].map(
    (version): Row => [`ant-${version}*`, "org/apache/tools/ant/", "org.apache.ant", "ant"],
  ),
  ["aspectjrt", "org/aspectj/", "org.aspectj"],
  ["aspectjweaver", "org/aspectj/", "org.aspectj"],
  ["asm*-4*", "org/objectweb/asm/", "org.ow2.asm"],
  ["asm*-5*", "org/objectweb/asm/", "org.ow2.asm"],
  ["asm*-6*", "org/objectweb/asm/", "org.ow2.asm"],
  ["asm*-7*", "org/objectweb/asm/", "org.ow2.asm"],
  ["asm*-8*", "org/objectweb/asm/", "org.ow2.asm"],
  ["asm*-9*", "org/objectweb/asm/", "org.ow2.asm"],
  ["bc-fips", "org/bouncycastle/", "org.bouncycastle"],
  ["bcmail-*-1.*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcpg-*-1.*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcpkix-*-1.*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcprov-*-1.*", "org/bouncycastle/", "org.bouncycastle"],
  ["bctls-*-1.*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcutil-*-1.*", "org/bouncycastle/", "org.bouncycastle"],
  ["bootstrap", "org/apache/catalina/startup/", "org.apache.tomcat", "tomcat"],
  ["bson", "org/bson/", "org.mongodb"],
  ["c3p0-0.9.1*", "com/mchange/", "c3p0", "c3p0"],
  ...["0.9.2", "0.9.5", "0.10", "0.11"].map(
    (version): Row => [`c3p0-${version}*`, "com/mchange/", "com.mchange", "c3p0"],
  ),
  ["caffeine", "com/github/benmanes/caffeine/", "com.github.ben-manes.caffeine"],
  ["checker-qual", "org/checkerframework/", "org.checkerframework"],
  ["cassandra-all", "org/apache/cassandra/", "org.apache.cassandra"],
  ["catalina", "org/apache/catalina/", "org.apache.tomcat", "tomcat-catalina"],
  ["commons-beanutils", "org/apache/commons/beanutils/", "commons-beanutils"],
  ["commons-codec", "org/apache/commons/codec/", "commons-codec"],
  ["commons-collections", "org/apache/commons/collections/", "commons-collections"],
  ["commons-fileupload", "org/apache/commons/fileupload/", "commons-fileupload"],
  ["commons-httpclient", "org/apache/commons/httpclient/", "commons-httpclient"],
  ["commons-io", "org/apache/commons/io/", "commons-io"],
  ["commons-lang", "org/apache/commons/lang/", "commons-lang"],
  ["commons-logging", "org/apache/commons/logging/", "commons-logging"],
  ["commons-logging-a*", "org/apache/commons/logging/", "commons-logging"],
  ["derby*", "org/apache/derby/", "org.apache.derby"],
  ["dom4j-1.*", "org/dom4j/", "dom4j", "dom4j"],
  ["dom4j-2.*", "org/dom4j/", "org.dom4j", "dom4j"],
  ["dwr-2.0.2*", "org/directwebremoting/", "org.directwebremoting", "dwr"],
  ["dwr-2.0.3*", "org/directwebremoting/", "org.directwebremoting", "dwr"],
  ["dwr-3.*", "org/directwebremoting/", "org.directwebremoting", "dwr"],
  ["elasticsearch", "org/elasticsearch/", "org.elasticsearch"],
  ...[
    "cli",
    "core",
    "dissect",
    "geo",
    "grok",
    "logging",
    "lz4",
    "nio",
    "plugin-classloader",
    "secure-sm",
    "ssl-config",
  ].map(elastic),
  ...["tdigest", "x-content"].map(elastic),
  ["fop-1.*", "org/apache/fop/", "org.apache.xmlgraphics", "fop"],
  ["fop-2.*", "org/apache/fop/", "org.apache.xmlgraphics", "fop"],
  ["freemarker-2.3.2*", "freemarker/", "org.freemarker", "freemarker"],
  ["freemarker-2.3.3*", "freemarker/", "org.freemarker", "freemarker"],
  ["geode-*", "org/apache/geode/", "org.apache.geode"],
  ["gradle-*", "org/gradle/", "org.gradle"],
  ["graphql-java", "graphql/", "com.graphql-java"],
  ["groovy-2.*", "groovy/lang/", "org.codehaus.groovy", "groovy"],
  ["groovy-3.*", "groovy/lang/", "org.codehaus.groovy", "groovy"],
  ["groovy-4.*", "groovy/lang/", "org.apache.groovy", "groovy"],
  ["grpc-*", "io/grpc/", "io.grpc"],
  ["guice", "com/google/inject/", "com.google.inject"],
  ["guice-no-aop*", "com/google/inject/", "com.google.inject", "guice"],
  ["guice-*", "com/google/inject/", "com.google.inject.extensions"],
  ["h2", "org/h2/", "com.h2database"],
  ["hibernate-core-6.*", "org/hibernate/", "org.hibernate.orm", "hibernate-core"],
  ["hibernate-core-7.*", "org/hibernate/", "org.hibernate.orm", "hibernate-core"],
  ["hibernate-models", "org/hibernate/models/", "org.hibernate.models"],
  ["HikariCP*", "com/zaxxer/hikari/", "com.zaxxer"],
  ["hsqldb-2.*", "org/hsqldb/", "org.hsqldb", "hsqldb"],
  ["http4s-*", "org/http4s/", "org.http4s"],
  ["jackson-core-asl", "org/codehaus/jackson/", "org.codehaus.jackson"],
  ["jackson-mapper-asl", "org/codehaus/jackson/", "org.codehaus.jackson"],
  ["jasper", "org/apache/jasper/", "org.apache.tomcat", "tomcat-jasper"],
  ["jdom-1.1*", "org/jdom/", "org.jdom", "jdom"],
  ["jdom2", "org/jdom2/", "org.jdom"],
  ["jna-4.*", "com/sun/jna/", "net.java.dev.jna", "jna"],
  ["jna-5.*", "com/sun/jna/", "net.java.dev.jna", "jna"],
  ["jna-platform-4.*", "com/sun/jna/", "net.java.dev.jna", "jna-platform"],
  ["jna-platform-5.*", "com/sun/jna/", "net.java.dev.jna", "jna-platform"],
  ["jsch-0.1*", "com/jcraft/jsch/", "com.jcraft", "jsch"],
  ["json", "org/json/", "org.json"],
  ["jspecify", "org/jspecify/", "org.jspecify"],
  ["jython*", "org/python/", "org.python"],
  ["kafka-*", "org/apache/kafka/", "org.apache.kafka"],
  ["kafka_*", "kafka/", "org.apache.kafka"],
  ["kotlin-*", "kotlin/", "org.jetbrains.kotlin"],
  ["kotlinx-*", "kotlinx/", "org.jetbrains.kotlinx"],
  ["ktor-*", "io/ktor/", "io.ktor"],
  ["log4j", "org/apache/log4j/", "log4j"],
  ...["2", "3", "4", "5", "6", "7", "8", "9", "10"].map(
    (major): Row => [`lucene-*-${major}.*`, "org/apache/lucene/", "org.apache.lucene"],
  ),
  ["lz4-java-1.5*", "net/jpountz/", "org.lz4", "lz4-java"],
  ["lz4-java-1.6*", "net/jpountz/", "org.lz4", "lz4-java"],
  ["lz4-java-1.7*", "net/jpountz/", "org.lz4", "lz4-java"],
  ["lz4-java-1.8.0*", "net/jpountz/", "org.lz4", "lz4-java"],
  ["micrometer-*", "io/micrometer/", "io.micrometer"],
  ["maven-wrapper", "org/apache/maven/wrapper/", "org.apache.maven.wrapper"],
  ...micronautCore.map((name): Row => [`micronaut-${name}`, "io/micronaut/", "io.micronaut"]),
  ["mongo-java-driver", "com/mongodb/", "org.mongodb"],
  ["mongodb-driver-async", "com/mongodb/async/", "org.mongodb"],
  ["mongodb-driver-core", "com/mongodb/", "org.mongodb"],
  ["mysql-connector-j", "com/mysql/", "com.mysql"],
  ["mysql-connector-java", "com/mysql/", "mysql"],
  ["ojdbc11-2*", "oracle/jdbc/", "com.oracle.database.jdbc", "ojdbc11"],
  ["ojdbc8-2*", "oracle/jdbc/", "com.oracle.database.jdbc", "ojdbc8"],
  ["okhttp", "okhttp3/", "com.squareup.okhttp3"],
  ["okio*", "okio/", "com.squareup.okio"],
  ["opensearch", "org/opensearch/", "org.opensearch"],
  ...["api", "common", "context", "exporter-*", "extension-annotations", "extension-aws", "extension-kotlin"].map(
    telemetry,
  ),
  ...["extension-trace-propagators", "opencensus-shim", "opentracing-shim", "sdk", "sdk-common", "sdk-logs"].map(
    telemetry,
  ),
  ...["sdk-metrics", "sdk-trace", "sdk-testing", "sdk-extension-autoconfigure*"].map(telemetry),
  ["picocli", "picocli/", "info.picocli"],
  ["play_*", "play/", "com.typesafe.play"],
  ...["poi", "poi-ooxml", "poi-ooxml-schemas", "poi-ooxml-lite", "poi-scratchpad", "poi-excelant"].flatMap((name) =>
    ["3", "4", "5"].map((major): Row => [`${name}-${major}.*`, "org/apache/poi/", "org.apache.poi", name]),
  ),
  ...["42", "9.2", "9.3", "9.4"].map(
    (version): Row => [`postgresql-${version}*`, "org/postgresql/", "org.postgresql", "postgresql"],
  ),
  ["protobuf-java*", "com/google/protobuf/", "com.google.protobuf"],
  ...["1.8", "2"].map((version): Row => [`quartz-${version}.*`, "org/quartz/", "org.quartz-scheduler", "quartz"]),
  ["reactor-core", "reactor/core/", "io.projectreactor"],
  ["reactor-netty*", "reactor/netty/", "io.projectreactor.netty"],
  ["rhino", "org/mozilla/javascript/", "org.mozilla"],
  ...["scala-library", "scala-compiler", "scala-reflect", "scala-actors"].map(
    (name): Row => [name, "scala/", "org.scala-lang"],
  ),
  ...["xml", "parser-combinators", "java8-compat", "collection-compat", "swing", "parallel-collections"].map(
    (name): Row => [`scala-${name}_*`, "scala/", "org.scala-lang.modules"],
  ),
  ["serializer", "org/apache/xml/serializer/", "xalan"],
  ["solr-*", "org/apache/solr/", "org.apache.solr"],
  ["spring-2.*", "org/springframework/", "org.springframework", "spring"],
  ["spring-amqp", "org/springframework/amqp/", "org.springframework.amqp"],
  ["spring-aop", "org/springframework/aop/", "org.springframework"],
  ["spring-aspects", "org/springframework/", "org.springframework"],
  ["spring-beans", "org/springframework/beans/", "org.springframework"],
  ["spring-boot*", "org/springframework/boot/", "org.springframework.boot"],
  ["spring-context", "org/springframework/context/", "org.springframework"],
  ["spring-context-support", "org/springframework/", "org.springframework"],
  ["spring-core", "org/springframework/core/", "org.springframework"],
  ["spring-expression", "org/springframework/expression/", "org.springframework"],
  ["spring-graphql", "org/springframework/graphql/", "org.springframework.graphql"],
  ["spring-integration-*", "org/springframework/integration/", "org.springframework.integration"],
  ["spring-jcl", "org/apache/commons/logging/", "org.springframework"],
  ["spring-jdbc", "org/springframework/jdbc/", "org.springframework"],
  ["spring-jms", "org/springframework/jms/", "org.springframework"],
  ["spring-kafka", "org/springframework/kafka/", "org.springframework.kafka"],
  ["spring-ldap-core", "org/springframework/ldap/", "org.springframework.ldap"],
  ["spring-messaging", "org/springframework/messaging/", "org.springframework"],
  ["spring-orm", "org/springframework/orm/", "org.springframework"],
  ["spring-oxm", "org/springframework/oxm/", "org.springframework"],
  ["spring-r2dbc", "org/springframework/r2dbc/", "org.springframework"],
  ["spring-rabbit", "org/springframework/amqp/", "org.springframework.amqp"],
  ...springSecurity.map(
    (name): Row => [`spring-security-${name}`, "org/springframework/security/", "org.springframework.security"],
  ),
  ["spring-session-*", "org/springframework/session/", "org.springframework.session"],
  ["spring-tx", "org/springframework/transaction/", "org.springframework"],
  ["spring-web", "org/springframework/web/", "org.springframework"],
  ["spring-webflux", "org/springframework/web/", "org.springframework"],
  ["spring-webmvc", "org/springframework/web/", "org.springframework"],
  ["spring-websocket", "org/springframework/web/", "org.springframework"],
  ["sshj", "net/schmizz/sshj/", "com.hierynomus"],
  ["struts-1.*", "org/apache/struts/", "struts", "struts"],
  ["tomcat-embed-*", "org/apache/", "org.apache.tomcat.embed"],
  ...["6", "7", "8", "9", "10", "11"].map((major): Row => [`tomcat-*-${major}.*`, "org/apache/", "org.apache.tomcat"]),
  ["twitter4j-*", "twitter4j/", "org.twitter4j"],
  ["velocity-1.4*", "org/apache/velocity/", "velocity", "velocity"],
  ["xalan", "org/apache/xalan/", "xalan"],
  ["xercesImpl", "org/apache/xerces/", "xerces"],
  ["xmlbeans", "org/apache/xmlbeans/", "org.apache.xmlbeans"],
  ["xz", "org/tukaani/xz/", "org.tukaani"],
];

/** The artifact of an archive with this name, if the archive has classes in the folder. */
export function findKnownGroup(name: ArchiveName): KnownGroup | undefined {
  const row = rows.find(([pattern]) => isMatch(pattern, name));
  if (row === undefined) return undefined;
  const [, classes, group, published = name.artifact] = row;
  return { artifact: published, classes, group };
}

function isMatch(pattern: string, { artifact, version }: ArchiveName): boolean {
  const [begin = "", ...others] = pattern.split("*");
  if (others.length === 0) return artifact === pattern;
  if (/\.(?!\d)/.test(artifact)) return false; // the name begins with a group, or is that of a bundle
  const full = `${artifact}-${version}`;
  return full.startsWith(begin) && others.every((part) => full.includes(part, begin.length));
}
