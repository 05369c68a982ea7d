import type { ProxySettings } from "@plimsoll/outbound";
import type { SettingInForce } from "@plimsoll/registry";
import { defaultRegistrySettings, type Features, type RegistrySettings } from "@plimsoll/registry/settings";
import type { BuildLimits, BuildNetwork } from "@plimsoll/registry-adapters/builds";
import type { LdapSignIn } from "@plimsoll/registry-adapters/ldap";
import type { AwsEnvironment, S3Credentials } from "@plimsoll/registry-adapters/s3";
import { type OidcProviderSettings, oidcProviderList } from "./oidc-settings.ts";
import {
  address,
  base64,
  count,
  countsOf,
  flag,
  flagsOf,
  host,
  hosts,
  names,
  oneOf,
  secret,
  text,
  texts,
} from "./setting-kind.ts";

const featureNames = Object.keys(defaultRegistrySettings.features) as readonly (keyof Features)[];

const keptNames = Object.keys(defaultRegistrySettings.keptLimits) as readonly (keyof RegistrySettings["keptLimits"])[];

/** The kinds of the settings of the registry. */
export const registrySettingKinds = {
  /** The host of the registry in addresses, with the port if it is not the default of the scheme: `registry.example.com`. */
  registryHost: host,
  /** Other hosts that clients use, each with its port. A response names the host of its request. */
  registryHosts: hosts,
  registryTitle: text,
  registryContact: text,
  /** `contract`: as documented; `reference`: as the known implementation, for clients that need it. */
  registryCompatibility: oneOf(["contract", "reference"]),
  /** Whether clients use HTTPS, which a proxy in front of this process serves. */
  behindTls: flag,
  superusers: names,
  globalReadonlySuperusers: names,
  /** Features whose state differs from the default. */
  features: flagsOf(featureNames),
  /** Whether the registry rejects changes and does no background work. */
  registryReadOnly: flag,
  /** Robots that may exist although the feature `robots` is off: `NAMESPACE+NAME`. */
  allowedRobots: names,
  browserCallsXhrOnly: flag,
  /** Whether the usage log records sign-ins and sign-outs. */
  logSignIns: flag,
  logFailedSignIns: flag,
  /** After how many days entries of the usage log are moved to the blob store. */
  logRetentionDays: count,
  createPrivateRepositoryOnPush: flag,
  sessionSeconds: count,
  freshLoginSeconds: count,
  /** How many accounts can be created from one network in an hour, at each node. */
  accountsPerAddressPerHour: count,
  appTokenSeconds: count,
  defaultTagExpirationSeconds: count,
  maxBlobBytes: count,
  maxManifestBytes: count,
  /** How many layers an image manifest may have, and how many manifests an image index. */
  maxManifestLayers: count,
  sparseIndexes: flag,
  /** How long the push of a manifest waits for the scan of its image. */
  scanPatienceSeconds: count,
  defaultQuotaBytes: count,
  /** Limits of the resources of a build. */
  buildLimits: countsOf(["memoryBytes", "processes", "diskBytes", "files"]),
  /** How much a namespace, a repository, a team or a user may keep. */
  keptLimits: countsOf(keptNames),
  /** The network of the commands in a Dockerfile. */
  buildNetwork: oneOf(["host", "none"]),
  /** Internal hosts and networks that mirrors, proxy caches and webhooks may connect to. */
  allowedInternalHosts: names,
  /** Files with a public key (PEM) each. */
  mirrorSignatureKeys: texts,
  /** At least 32 bytes, the same on every node. The key encrypts stored secrets and signs tokens. */
  secretKey: base64,
  /** The blob store: a folder, or `s3://BUCKET/PREFIX`. */
  storage: address,
  s3Endpoint: address,
  s3Region: text,
  /** How requests name the bucket: in the path or in the host. */
  s3Addressing: oneOf(["path", "virtual-host"]),
  s3AccessKeyId: text,
  s3SecretAccessKey: secret,
  s3SessionToken: secret,
  /** How long a request to the store may take, with all attempts. */
  s3TimeoutSeconds: count,
  /** Whether clients are redirected to the store to fetch blobs. */
  s3Redirect: flag,
  /** `smtp://USER:PASSWORD@HOST:PORT` */
  smtpUrl: secret,
  mailFrom: text,
  smtpPlain: flag,
  ldapUrl: address,
  ldapBindDn: text,
  ldapBindPassword: secret,
  ldapNameAttribute: text,
  ldapPlain: flag,
  /** The entry above all users who may sign in. */
  ldapUserBase: text,
  ldapUserFilter: text,
  ldapSuperuserFilter: text,
  ldapRestrictedUserFilter: text,
  /** A file of certificates in PEM. */
  ldapCa: text,
  /** Services that users sign in with by OpenID Connect. */
  oidcProviders: oidcProviderList,
} as const;

/** The place of the blob store. */
export type StorageSettings =
  | { readonly kind: "files"; readonly folder: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
      readonly addressing: "path" | "virtual-host";
      /** Absent: found by {@link environment}, from the container or from the machine. */
      readonly credentials?: S3Credentials;
      /** The variables of AWS. */
      readonly environment: AwsEnvironment;
      readonly redirect: boolean;
      readonly answerSeconds: number;
    };

/** The resolved settings of the registry. */
export interface RegistryServiceSettings {
  /** Files with the public keys of which one must have signed the images that mirrors copy. */
  readonly mirrorSignatureKeyFiles?: readonly string[];
  /** `host` is absent if it is not set: mail and webhooks then name the address that the process listens on. */
  readonly settings: Omit<RegistrySettings, "host" | "features"> & {
    readonly host?: string;
    /** `builds` is absent if it is not set: the default depends on the installed programs. */
    readonly features: Omit<Features, "builds"> & { readonly builds?: boolean };
  };
  /** Where images are built, and the environment of the programs that build them. Absent: no images are built. */
  readonly imageBuilds?: {
    readonly folder: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly buildLimits?: Partial<BuildLimits>;
    readonly network?: BuildNetwork;
  };
  /** All settings, for superusers. Absent if a program created the settings without reading any. */
  readonly inForce?: readonly SettingInForce[];
  /** Absent: the key in {@link secretFile}, which is created if it is missing. */
  readonly secretKey?: Uint8Array;
  readonly secretFile: string;
  readonly storage: StorageSettings;
  /** For an S3 blob store, and for hosts that clients name. */
  readonly proxy?: ProxySettings;
  readonly mail?: { readonly url: string; readonly from: string; readonly requireTls: boolean };
  readonly oidcProviders?: readonly OidcProviderSettings[];
  readonly ldap?: {
    readonly url: string;
    readonly bindDn: string;
    readonly bindPassword: string;
    readonly nameAttribute?: string;
    readonly startTls?: boolean;
    /** A file with the certificate authorities for the directory. */
    readonly caFile?: string;
    readonly signIn?: LdapSignIn;
  };
}
