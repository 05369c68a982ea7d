import type { ProxySettings } from "@plimsoll/outbound";
import type {
  AwsEnvironment,
  BuildLimits,
  BuildNetwork,
  LdapSignIn,
  S3Credentials,
  SettingInForce,
} from "@plimsoll/registry-api";
import { defaultRegistrySettings, type Features, type RegistrySettings } from "@plimsoll/registry-api/settings";
import { type OidcProviderSettings, oidcProviderList } from "./oidc-settings.ts";
import { base64, count, countsOf, flag, flagsOf, oneOf, secret, text, texts } from "./setting-kind.ts";

const featureNames = Object.keys(defaultRegistrySettings.features) as readonly (keyof Features)[];

/** The settings of the registry. */
export const registrySettingKinds = {
  /** What clients call the registry: `registry.example.com`, with the port where it is not the scheme's. */
  registryHost: text,
  /** Other names under which clients come, each with its port: answers then name the one that the request did. */
  registryHosts: texts,
  registryTitle: text,
  registryContact: text,
  /** Whom the management API pleases: `contract`, or `reference` for clients that insist on the known implementation's answers. */
  registryCompatibility: oneOf(["contract", "reference"]),
  /** Whether clients come by HTTPS although this process does not speak it: a proxy before it does. */
  behindTls: flag,
  superusers: texts,
  globalReadonlySuperusers: texts,
  /** Parts of the registry that are on or off, where that is not the default. */
  features: flagsOf(featureNames),
  /** Whether the registry can be read and takes no changes, and nothing happens in its background. */
  registryReadOnly: flag,
  /** Robots that there may be although the feature `robots` is off: `NAMESPACE+NAME`. */
  allowedRobots: texts,
  browserCallsXhrOnly: flag,
  /** Whether the usage log tells who signs in and out, and whether also who failed to. */
  logSignIns: flag,
  logFailedSignIns: flag,
  /** After how many days the usage log is moved into the blob store. */
  logRetentionDays: count,
  createPrivateRepositoryOnPush: flag,
  sessionSeconds: count,
  freshLoginSeconds: count,
  /** How many accounts can be made from one network in an hour, at each node. */
  accountsPerAddressPerHour: count,
  appTokenSeconds: count,
  defaultTagExpirationSeconds: count,
  maxBlobBytes: count,
  maxManifestBytes: count,
  /** How many layers an image manifest may have, and how many manifests an image index. */
  maxManifestLayers: count,
  /** How long the push of a manifest waits until its image is scanned. */
  scanPatienceSeconds: count,
  defaultQuotaBytes: count,
  /** What a build may take of the machine. */
  buildLimits: countsOf(["memoryBytes", "processes", "diskBytes"]),
  /** What the commands of a Dockerfile reach. */
  buildNetwork: oneOf(["host", "none"]),
  /** Internal hosts and networks that mirrors, proxy caches and webhooks may speak to. */
  allowedInternalHosts: texts,
  /** At least 32 bytes that every node has: what secrets are sealed and tokens are signed with. */
  secretKey: base64,
  /** Where blobs are: a folder, or `s3://BUCKET/PREFIX`. */
  storage: text,
  s3Endpoint: text,
  s3Region: text,
  /** How requests name the bucket: in the path or in the host. */
  s3Addressing: oneOf(["path", "virtual-host"]),
  s3AccessKeyId: text,
  s3SecretAccessKey: secret,
  s3SessionToken: secret,
  /** How long the store has for an answer, with all attempts. */
  s3TimeoutSeconds: count,
  /** Whether clients fetch blobs from the store itself. */
  s3Redirect: flag,
  /** `smtp://USER:PASSWORD@HOST:PORT` */
  smtpUrl: secret,
  mailFrom: text,
  smtpPlain: flag,
  ldapUrl: text,
  ldapBindDn: text,
  ldapBindPassword: secret,
  ldapNameAttribute: text,
  ldapPlain: flag,
  /** The entry under which all users are who may sign in. */
  ldapUserBase: text,
  ldapUserFilter: text,
  ldapSuperuserFilter: text,
  ldapRestrictedUserFilter: text,
  /** A file of certificates in PEM. */
  ldapCa: text,
  /** Services that users sign in with by OpenID Connect. */
  oidcProviders: oidcProviderList,
} as const;

/** Where blobs are stored. */
export type StorageSettings =
  | { readonly kind: "files"; readonly folder: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
      readonly addressing: "path" | "virtual-host";
      /** Absent: those that the surroundings of the process give, by {@link environment}. */
      readonly credentials?: S3Credentials;
      /** The variables of AWS. */
      readonly environment: AwsEnvironment;
      readonly redirect: boolean;
      readonly answerSeconds: number;
    };

/** The registry's settings in force. */
export interface RegistryServiceSettings {
  /** `host` is absent where it is not set: addresses that are not of an answer then name where the process listens. */
  readonly settings: Omit<RegistrySettings, "host" | "features"> & {
    readonly host?: string;
    /** `builds` is absent where it is not set: it depends on what is installed. */
    readonly features: Omit<Features, "builds"> & { readonly builds?: boolean };
  };
  /** Where images are built, and the environment of the programs that do it. Absent: nothing builds images. */
  readonly imageBuilds?: {
    readonly folder: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly buildLimits?: Partial<BuildLimits>;
    readonly network?: BuildNetwork;
  };
  /** All settings, as superusers are shown them. Absent where they were not read, but made by a program. */
  readonly inForce?: readonly SettingInForce[];
  /** Absent: a key in {@link secretFile}, made when it is missing. */
  readonly secretKey?: Uint8Array;
  readonly secretFile: string;
  readonly storage: StorageSettings;
  /** For a blob store in S3, and for hosts that clients name. */
  readonly proxy?: ProxySettings;
  readonly mail?: { readonly url: string; readonly from: string; readonly requireTls: boolean };
  readonly oidcProviders?: readonly OidcProviderSettings[];
  readonly ldap?: {
    readonly url: string;
    readonly bindDn: string;
    readonly bindPassword: string;
    readonly nameAttribute?: string;
    readonly startTls?: boolean;
    /** A file with the authorities of the directory's certificate. */
    readonly caFile?: string;
    readonly signIn?: LdapSignIn;
  };
}
