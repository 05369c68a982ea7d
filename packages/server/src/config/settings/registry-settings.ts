import {
  defaultBuildLimits as builds,
  type Features,
  type RegistrySettings,
  defaultRegistrySettings as registryDefaults,
} from "@plimsoll/registry/settings";
import { setting } from "../setting.ts";
import { base64, count, countsOf, flag, flagsOf, host, hosts, names, oneOf, text, texts } from "../setting-kind.ts";

const featureNames = Object.keys(registryDefaults.features) as readonly (keyof Features)[];

/** A whole number of GiB as a text. */
const gibOf = (bytes: number) => `${bytes / 1024 ** 3} GiB`;

/** What is on by default. Whether images are built depends on the installed programs. */
const { builds: _, ...features } = registryDefaults.features;

const keptNames = Object.keys(registryDefaults.keptLimits) as readonly (keyof RegistrySettings["keptLimits"])[];

/** The registry's name, its administrators, its features and its limits. */
export const registrySettings = {
  registryHost: setting({
    kind: host,
    meaning: "The host in the addresses that the registry sends, with the port where it is not the scheme's own.",
    otherwise: "the host of the request; in mail and webhooks, where the process listens",
    example: "registry.example.com",
  }),
  registryHosts: setting({
    kind: hosts,
    meaning:
      "Other hosts that clients use. An answer to a request for one of them names that one; any other request is answered with `registryHost`.",
    otherwise: "none",
    example: ["localhost:8080"],
  }),
  registryTitle: setting({
    kind: text,
    meaning: "The title of the registry on its pages.",
    default: registryDefaults.title,
    example: "Images of Example Ltd",
  }),
  registryContact: setting({
    kind: text,
    meaning: "The e-mail address of the registry's operator.",
    otherwise: "none",
    example: "registry@example.com",
  }),
  sbomAuthor: setting({
    kind: text,
    meaning:
      "Who makes the CycloneDX and SPDX documents that the registry writes: the name of an organization, with a mail address or a web address in angle brackets.",
    otherwise: "none; the documents name the program",
    example: "Example Ltd <sbom@example.com>",
    into: ["service"],
  }),
  sbomSupplier: setting({
    kind: text,
    meaning: "Who supplies the images of the registry, in these documents, likewise.",
    otherwise: "none",
    example: "Example Ltd <https://example.com>",
    into: ["service"],
  }),
  registryCompatibility: setting({
    kind: oneOf(["contract", "reference"]),
    meaning:
      "`contract` answers as the management API is documented; `reference` answers as the known implementation does, if its clients need that.",
    default: registryDefaults.compatibility,
    example: "reference",
  }),
  behindTls: setting({
    kind: flag,
    meaning: "Whether clients use HTTPS, which a proxy in front of this process serves.",
    default: false,
    example: true,
  }),
  superusers: setting({
    kind: names,
    meaning:
      "The names of users who may administer everything. As long as it is empty, the account that was created on the page of the empty registry, or by `initializeRegistry`, is the only superuser.",
    default: registryDefaults.superusers,
    example: ["admin"],
    into: ["registry"],
  }),
  globalReadonlySuperusers: setting({
    kind: names,
    meaning: "The names of users who may read everything and change nothing.",
    default: registryDefaults.globalReadonlySuperusers,
    example: ["auditor"],
    into: ["registry"],
  }),
  features: setting({
    kind: flagsOf(featureNames),
    meaning:
      "Which parts of the registry are on or off. `builds` is on if [buildah](../how-to/build-images.md) can be run and `userCreation` is off.",
    default: features,
    example: { quotas: false, userCreation: false },
  }),
  registryReadOnly: setting({
    kind: flag,
    meaning:
      "The registry can be read, and users can sign in. Every other change is rejected (503 of the management API, 405 `DENIED` of `/v2`), and no background work runs.",
    default: registryDefaults.readOnly,
    example: true,
  }),
  allowedRobots: setting({
    kind: names,
    meaning: "Robots (`NAMESPACE+NAME`) that exist although the feature `robots` is off.",
    default: registryDefaults.allowedRobots,
    example: ["acme+ci"],
    into: ["registry"],
  }),
  browserCallsXhrOnly: setting({
    kind: flag,
    meaning: "Whether requests of browsers must have the header `X-Requested-With`.",
    default: registryDefaults.browserCallsXhrOnly,
    example: false,
    into: ["registry"],
  }),
  logSignIns: setting({
    kind: flag,
    meaning: "Whether the usage log records sign-ins and sign-outs.",
    default: registryDefaults.logSignIns,
    example: false,
    into: ["registry"],
  }),
  logFailedSignIns: setting({
    kind: flag,
    meaning: "Whether the usage log records failed sign-ins.",
    default: registryDefaults.logFailedSignIns,
    example: true,
    into: ["registry"],
  }),
  logRetentionDays: setting({
    kind: count,
    meaning:
      "After how many days entries of the usage log are moved to the blob store, in compressed files; `plimsoll admin archived-logs` prints them.",
    otherwise: "none: entries stay in the database",
    example: 90,
    into: ["registry"],
  }),
  createPrivateRepositoryOnPush: setting({
    kind: flag,
    meaning: "Whether a repository that a push creates is private.",
    default: registryDefaults.createPrivateRepositoryOnPush,
    example: false,
    into: ["registry"],
  }),
  sessionSeconds: setting({
    kind: count,
    meaning: "How long a sign-in of a browser lasts.",
    default: registryDefaults.sessionSeconds,
    into: ["registry"],
  }),
  freshLoginSeconds: setting({
    kind: count,
    meaning: "How long after a sign-in sensitive operations do not ask for the password again.",
    default: registryDefaults.freshLoginSeconds,
    into: ["registry"],
  }),
  accountsPerAddressPerHour: setting({
    kind: count,
    meaning:
      "How many accounts can be created from one address (an IPv4 address, or a /64 of IPv6) in an hour, at each node. Each wider network (/24 and /16, or /56, /48 and /32) can create four times as many as the one within.",
    default: registryDefaults.accountsPerAddressPerHour,
    into: ["registry"],
  }),
  appTokenSeconds: setting({
    kind: count,
    meaning: "How long an app token is valid.",
    otherwise: "no limit",
    example: 7776000,
    into: ["registry"],
  }),
  defaultTagExpirationSeconds: setting({
    kind: count,
    meaning: "How long deleted tags of new namespaces can be restored.",
    default: registryDefaults.defaultTagExpirationSeconds,
    into: ["registry"],
  }),
  maxBlobBytes: setting({
    kind: count,
    meaning: "The largest blob that is accepted.",
    default: registryDefaults.maxBlobBytes,
    into: ["registry"],
  }),
  maxManifestBytes: setting({
    kind: count,
    meaning: "The largest manifest that is accepted.",
    default: registryDefaults.maxManifestBytes,
    into: ["registry"],
  }),
  maxManifestLayers: setting({
    kind: count,
    meaning:
      "The most layers of an image manifest, and the most manifests of an image index. More are rejected with `MANIFEST_INVALID`.",
    default: registryDefaults.maxManifestLayers,
    into: ["registry"],
  }),
  sparseIndexes: setting({
    kind: flag,
    meaning:
      "Whether an image index can be pushed although the repository lacks some of its manifests (`true`). Without it, such a push is rejected with `MANIFEST_BLOB_UNKNOWN`. A manifest that is pushed later belongs to the index while the setting is on.",
    default: registryDefaults.sparseIndexes,
    example: true,
    into: ["registry"],
  }),
  scanPatienceSeconds: setting({
    kind: count,
    meaning:
      "How long the push of a manifest waits for the scan of its image. A later scan is done in the background. A proxy in front of the registry must wait as long.",
    default: registryDefaults.scanPatienceSeconds,
    into: ["registry"],
  }),
  defaultQuotaBytes: setting({
    kind: count,
    meaning:
      "The quota of namespaces that have no quota of their own. Each blob counts once for a namespace. Manifests and labels count above 1 MiB.",
    otherwise: "no limit",
    example: 10737418240,
    into: ["registry"],
  }),
  buildLimits: setting({
    kind: countsOf(Object.keys(builds) as (keyof typeof builds)[]),
    meaning:
      "What [a build](../how-to/build-images.md#limits) may use: `memoryBytes`, `processes` (including threads), `diskBytes` and `files`. A build that uses more is ended, and its log names the limit.",
    otherwise: `\`memoryBytes\` half of the machine's memory, at most ${gibOf(builds.memoryBytes)}; \`processes\` ${builds.processes}; \`diskBytes\` ${gibOf(builds.diskBytes)}; \`files\` ${builds.files / 1e6} million`,
    example: { memoryBytes: 2147483648, processes: 1000, diskBytes: 10737418240, files: 1000000 },
  }),
  keptLimits: setting({
    kind: countsOf(keptNames),
    meaning:
      "How many things of a kind a namespace, a repository, a team or a user may keep: [the list](../concepts/what-a-namespace-may-keep.md). Names that are left out have their defaults.",
    default: registryDefaults.keptLimits,
    otherwise: "see the list",
    example: { repositories: 1000, tags: 50000 },
  }),
  buildNetwork: setting({
    kind: oneOf(["host", "none"]),
    meaning:
      "The network of the commands in a Dockerfile: `none`, or `host` for that of the machine, which includes services that listen on loopback addresses only. Base images and the result are fetched and pushed with both.",
    default: "none",
    example: "host",
  }),
  allowedInternalHosts: setting({
    kind: names,
    meaning:
      "Internal hosts and networks that mirrors, proxy caches, webhooks and builds may connect to. The name of a host permits connections to this name, not to the hosts that it redirects to.",
    default: registryDefaults.allowedInternalHosts,
    example: ["registry.internal", "10.1.0.0/16"],
    into: ["registry"],
  }),
  mirrorSignatureKeys: setting({
    kind: texts,
    meaning:
      "Files with a public key (PEM) each. A mirror copies an image only if one of the keys has signed it with [cosign](../how-to/mirror-registries.md#signed-images), or if the mirror's `unsigned_images` is true.",
    default: registryDefaults.mirrorSignatureKeys,
    otherwise: "none: mirrors copy any image",
    example: ["/etc/plimsoll/cosign.pub"],
  }),
  secretKey: setting({
    kind: base64,
    meaning: "At least 32 bytes in base64, the same on every node. It encrypts stored secrets and signs tokens.",
    otherwise: "created at the first start, in `registry-secret` of `data`",
    example: "c2VjcmV0IG9mIGF0IGxlYXN0IDMyIGJ5dGVzIC4uLi4=",
  }),
} as const;
