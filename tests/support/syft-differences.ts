/** Packages that only one of the two lists, and why. */
export interface Difference {
  readonly why: string;
  /** `syft: PURL` or `plimsoll: PURL`, without qualifiers. */
  readonly lines: readonly string[];
}

const ofDistribution =
  "Of a package of the distribution: listed with its owner, whose advisories alone count; Syft leaves such programs out";
const noGroup =
  "Nothing tells the group: Syft writes the artifact a second time, or a class, which no advisory has either";
const knownGroup =
  "The group is known by the classes, or by the name of the bundle without its last word; Syft takes the whole name of the bundle";
const develVersion = "A main module without a version cannot be matched: the coverage says that it is not assessed";
const renamed = "Debian renames archives: what Maven wrote into them counts here, the file's name for Syft";
const notInstalled = "No installed package: the application itself, or a part of another package";
const unpackedLoader = "The loader of Spring Boot is unpacked in the archive, which names its version";
const otherVersion = "The manifest has a version that is not of the archive: what Maven wrote tells all that is in it";

/** By the name of the image. */
export const knownDifferences: Readonly<Record<string, readonly Difference[]>> = {
  "alpine-310": [
    {
      why: ofDistribution,
      lines: [
        "plimsoll: pkg:generic/busybox@1.30.1",
        "plimsoll: pkg:generic/openssl@1.1.1d",
        "plimsoll: pkg:generic/zlib@1.2.11",
      ],
    },
  ],
  "alpine-containerd": [
    {
      why: ofDistribution,
      lines: [
        "plimsoll: pkg:generic/busybox@1.33.1",
        "plimsoll: pkg:generic/openssl@1.1.1t",
        "plimsoll: pkg:generic/zlib@1.2.12",
      ],
    },
  ],
  "debian-bookworm-distroless": [
    {
      why: ofDistribution,
      lines: ["plimsoll: pkg:generic/openssl@3.0.22", "plimsoll: pkg:generic/zlib@1.2.13"],
    },
  ],
  "debian-bookworm-web": [
    {
      why: ofDistribution,
      lines: [
        "plimsoll: pkg:generic/bash@5.2.15",
        "plimsoll: pkg:generic/curl@7.88.1",
        "plimsoll: pkg:generic/nginx@1.22.1",
        "plimsoll: pkg:generic/openssl@3.0.22",
        "plimsoll: pkg:generic/perl@5.36.0",
        "plimsoll: pkg:generic/python@3.11.2",
        "plimsoll: pkg:generic/ruby@3.1.2",
        "plimsoll: pkg:generic/sqlite@3.40.1",
        "plimsoll: pkg:generic/zlib@1.2.13",
      ],
    },
    {
      why: noGroup,
      lines: [
        "plimsoll: pkg:maven/aopalliance@1.0",
        "plimsoll: pkg:maven/atinject-jsr330-api@1.0",
        "plimsoll: pkg:maven/guice-multibindings@4.2.3",
        "plimsoll: pkg:maven/org.jsr-305/jsr305@0.1-SNAPSHOT",
        "plimsoll: pkg:maven/jsr305@0.1~+svn49",
        "plimsoll: pkg:maven/mongodb-driver@3.6.3",
        "syft: pkg:maven/aopalliance/aopalliance@1.0",
        "syft: pkg:maven/atinject-jsr330-api/atinject-jsr330-api@1.0",
        "syft: pkg:maven/com.google.inject/guice-multibindings@4.2.3",
        "syft: pkg:maven/jsr305/jsr305@0.1-SNAPSHOT",
        "syft: pkg:maven/jsr305/jsr305@0.1~+svn49",
        "syft: pkg:maven/mongodb-driver/mongodb-driver@3.6.3",
      ],
    },
    {
      why: knownGroup,
      lines: [
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-assistedinject@4.2.3",
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-grapher@4.2.3",
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-jmx@4.2.3",
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-jndi@4.2.3",
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-servlet@4.2.3",
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-spring@4.2.3",
        "plimsoll: pkg:maven/com.google.inject.extensions/guice-throwingproviders@4.2.3",
        "plimsoll: pkg:maven/commons-logging/commons-logging-adapters@1.2",
        "plimsoll: pkg:maven/commons-logging/commons-logging-api@1.2",
        "plimsoll: pkg:maven/commons-logging/commons-logging@1.2",
        "plimsoll: pkg:maven/org.mongodb/bson@3.6.3",
        "plimsoll: pkg:maven/org.mongodb/mongo-java-driver@3.6.3",
        "plimsoll: pkg:maven/org.mongodb/mongodb-driver-async@3.6.3",
        "plimsoll: pkg:maven/org.mongodb/mongodb-driver-core@3.6.3",
        "plimsoll: pkg:maven/org.tukaani/xz@1.9",
        "syft: pkg:maven/com.google.inject.assistedinject/guice-assistedinject@4.2.3",
        "syft: pkg:maven/com.google.inject.grapher/guice-grapher@4.2.3",
        "syft: pkg:maven/com.google.inject.jndi/guice-jndi@4.2.3",
        "syft: pkg:maven/com.google.inject.servlet/guice-servlet@4.2.3",
        "syft: pkg:maven/com.google.inject.spring/guice-spring@4.2.3",
        "syft: pkg:maven/com.google.inject.throwingproviders/guice-throwingproviders@4.2.3",
        "syft: pkg:maven/com.google.inject.tools.jmx/guice-jmx@4.2.3",
        "syft: pkg:maven/com.google.inject/guice-no-aop@4.2.3",
        "syft: pkg:maven/org.apache/logging@1.2",
        "syft: pkg:maven/org.mongodb.bson/bson@3.6.3",
        "syft: pkg:maven/org.mongodb.driver-async/mongodb-driver-async@3.6.3",
        "syft: pkg:maven/org.mongodb.driver-core/mongodb-driver-core@3.6.3",
        "syft: pkg:maven/org.mongodb.mongo-java-driver/mongo-java-driver@3.6.3",
        "syft: pkg:maven/org.tukaani.xz/xz@1.9",
      ],
    },
    { why: develVersion, lines: ["syft: pkg:golang/github.com/restic/restic@(devel)"] },
    {
      why: renamed,
      lines: [
        "syft: pkg:maven/com.google.errorprone.annotations/error-prone-annotations",
        "syft: pkg:maven/error-prone-annotation/error-prone-annotation",
        "syft: pkg:maven/error-prone-type-annotations/error-prone-type-annotations",
        "syft: pkg:maven/maven3-builder-support/maven3-builder-support@3.8.7",
        "syft: pkg:maven/maven3-compat/maven3-compat@3.8.7",
        "syft: pkg:maven/maven3-core/maven3-core@3.8.7",
        "syft: pkg:maven/maven3-embedder/maven3-embedder@3.8.7",
        "syft: pkg:maven/maven3-model-builder/maven3-model-builder@3.8.7",
        "syft: pkg:maven/maven3-model/maven3-model@3.8.7",
        "syft: pkg:maven/maven3-plugin-api/maven3-plugin-api@3.8.7",
        "syft: pkg:maven/maven3-repository-metadata/maven3-repository-metadata@3.8.7",
        "syft: pkg:maven/maven3-resolver-provider/maven3-resolver-provider@3.8.7",
        "syft: pkg:maven/maven3-settings-builder/maven3-settings-builder@3.8.7",
        "syft: pkg:maven/maven3-settings/maven3-settings@3.8.7",
        "syft: pkg:maven/maven3-slf4j-provider/maven3-slf4j-provider@3.8.7",
        "syft: pkg:maven/org.apache.maven.artifact.versioning.ComparableVersion/maven3-artifact@3.8.7",
        "syft: pkg:maven/plexus-utils2/plexus-utils2",
        "syft: pkg:maven/sisu-inject/sisu-inject",
        "syft: pkg:maven/sisu-plexus/sisu-plexus",
      ],
    },
    {
      why: notInstalled,
      lines: ["syft: pkg:npm/node-forge-flash@0.0.0", "syft: pkg:npm/ruby-typeprof@0.20.1"],
    },
  ],
  "java-3-level-jar": [
    {
      why: noGroup,
      lines: [
        "plimsoll: pkg:maven/level@2",
        "plimsoll: pkg:maven/level@3",
        "plimsoll: pkg:maven/snyk",
        "syft: pkg:maven/level/level@2-jar",
        "syft: pkg:maven/level/level@3-jar",
        "syft: pkg:maven/snyk/snyk",
      ],
    },
  ],
  "java-uberjar": [{ why: otherVersion, lines: ["syft: pkg:maven/uberjar/uberjar@1.7.30"] }],
  "java-war-3-levels": [
    {
      why: noGroup,
      lines: [
        "plimsoll: pkg:maven/level@2",
        "plimsoll: pkg:maven/level@3",
        "syft: pkg:maven/level/level@2-jar",
        "syft: pkg:maven/level/level@3-jar",
      ],
    },
    { why: otherVersion, lines: ["syft: pkg:maven/org.springframework.boot.loader.WarLauncher/mywar@0.0.1-SNAPSHOT"] },
    { why: unpackedLoader, lines: ["plimsoll: pkg:maven/org.springframework.boot/spring-boot-loader@2.7.0"] },
  ],
  "pnpm-lock-v9": [
    {
      why: ofDistribution,
      lines: [
        "plimsoll: pkg:generic/busybox@1.36.1",
        "plimsoll: pkg:generic/openssl@3.1.8",
        "plimsoll: pkg:generic/zlib@1.2.13",
      ],
    },
    { why: notInstalled, lines: ["syft: pkg:npm/pnpm-test-project-v9@1.0.0"] },
  ],
};
