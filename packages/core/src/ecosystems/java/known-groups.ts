import type { ArchiveName } from "./archive-name.ts";

/** An artifact whose archive does not state its group, because it is not built by Maven. */
interface KnownGroup {
  readonly artifact: string;
  /** The folder of its classes. */
  readonly classes: string;
  readonly group: string;
}

/**
 * The known artifacts by archive name; with `*`, by the beginning of the name with its version. The first matching row counts. `published` is
 * the artifact's name if it differs. A row matches only an archive with classes in that folder, because anyone can name an archive
 * `spring-web`.
 */
const rows: readonly (readonly [artifact: string, classes: string, group: string, published?: string])[] = [
  ["HikariCP*", "com/zaxxer/hikari/", "com.zaxxer"],
  ["akka-*", "akka/", "com.typesafe.akka"],
  ["ant", "org/apache/tools/ant/", "org.apache.ant"],
  ["asm*", "org/objectweb/asm/", "org.ow2.asm"],
  ["bcmail-*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcpg-*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcpkix-*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcprov-*", "org/bouncycastle/", "org.bouncycastle"],
  ["bctls-*", "org/bouncycastle/", "org.bouncycastle"],
  ["bcutil-*", "org/bouncycastle/", "org.bouncycastle"],
  ["c3p0", "com/mchange/", "com.mchange"],
  ["catalina", "org/apache/catalina/", "org.apache.tomcat", "tomcat-catalina"],
  ["commons-beanutils", "org/apache/commons/beanutils/", "commons-beanutils"],
  ["commons-codec", "org/apache/commons/codec/", "commons-codec"],
  ["commons-collections", "org/apache/commons/collections/", "commons-collections"],
  ["commons-fileupload", "org/apache/commons/fileupload/", "commons-fileupload"],
  ["commons-httpclient", "org/apache/commons/httpclient/", "commons-httpclient"],
  ["commons-io", "org/apache/commons/io/", "commons-io"],
  ["commons-lang", "org/apache/commons/lang/", "commons-lang"],
  ["commons-logging*", "org/apache/commons/logging/", "commons-logging"],
  ["derby*", "org/apache/derby/", "org.apache.derby"],
  ["dom4j-1.*", "org/dom4j/", "dom4j", "dom4j"],
  ["dom4j-2.*", "org/dom4j/", "org.dom4j", "dom4j"],
  ["elasticsearch*", "org/elasticsearch/", "org.elasticsearch"],
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
  ["hsqldb", "org/hsqldb/", "org.hsqldb"],
  ["jasper", "org/apache/jasper/", "org.apache.tomcat", "tomcat-jasper"],
  ["jdom2", "org/jdom2/", "org.jdom"],
  ["jdom", "org/jdom/", "org.jdom"],
  ["json", "org/json/", "org.json"],
  ["jsch", "com/jcraft/jsch/", "com.jcraft"],
  ["jython*", "org/python/", "org.python"],
  ["kafka-*", "org/apache/kafka/", "org.apache.kafka"],
  ["kafka_*", "kafka/", "org.apache.kafka"],
  ["kotlin-*", "kotlin/", "org.jetbrains.kotlin"],
  ["kotlinx-*", "kotlinx/", "org.jetbrains.kotlinx"],
  ["log4j", "org/apache/log4j/", "log4j"],
  ["lucene-*", "org/apache/lucene/", "org.apache.lucene"],
  ["micrometer-*", "io/micrometer/", "io.micrometer"],
  ["micronaut-*", "io/micronaut/", "io.micronaut"],
  ["mysql-connector-j", "com/mysql/", "com.mysql"],
  ["mysql-connector-java", "com/mysql/", "mysql"],
  ["okhttp", "okhttp3/", "com.squareup.okhttp3"],
  ["okio*", "okio/", "com.squareup.okio"],
  ["opensearch", "org/opensearch/", "org.opensearch"],
  ["opentelemetry-*", "io/opentelemetry/", "io.opentelemetry"],
  ["play_*", "play/", "com.typesafe.play"],
  ["poi*", "org/apache/poi/", "org.apache.poi"],
  ["postgresql", "org/postgresql/", "org.postgresql"],
  ["protobuf-java*", "com/google/protobuf/", "com.google.protobuf"],
  ["quartz", "org/quartz/", "org.quartz-scheduler"],
  ["reactor-core", "reactor/core/", "io.projectreactor"],
  ["reactor-netty*", "reactor/netty/", "io.projectreactor.netty"],
  ["rhino", "org/mozilla/javascript/", "org.mozilla"],
  ["scala-*", "scala/", "org.scala-lang"],
  ["serializer", "org/apache/xml/serializer/", "xalan"],
  ["solr-*", "org/apache/solr/", "org.apache.solr"],
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
  ["spring-security-*", "org/springframework/security/", "org.springframework.security"],
  ["spring-session-*", "org/springframework/session/", "org.springframework.session"],
  ["spring-tx", "org/springframework/transaction/", "org.springframework"],
  ["spring-web", "org/springframework/web/", "org.springframework"],
  ["spring-webflux", "org/springframework/web/", "org.springframework"],
  ["spring-webmvc", "org/springframework/web/", "org.springframework"],
  ["spring-websocket", "org/springframework/web/", "org.springframework"],
  ["sshj", "net/schmizz/sshj/", "com.hierynomus"],
  ["tomcat-embed-*", "org/apache/", "org.apache.tomcat.embed"],
  ["tomcat-*", "org/apache/", "org.apache.tomcat"],
  ["xalan", "org/apache/xalan/", "xalan"],
  ["xercesImpl", "org/apache/xerces/", "xerces"],
  ["xmlbeans", "org/apache/xmlbeans/", "org.apache.xmlbeans"],
];

/** The artifact of an archive with this name, if the archive has classes in the folder. */
export function findKnownGroup({ artifact, version }: ArchiveName): KnownGroup | undefined {
  const full = `${artifact}-${version}`;
  const row = rows.find(([name]) => (name.endsWith("*") ? full.startsWith(name.slice(0, -1)) : artifact === name));
  if (row === undefined) return undefined;
  const [, classes, group, published = artifact] = row;
  return { artifact: published, classes, group };
}
