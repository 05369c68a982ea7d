import { withoutUndefined } from "@plimsoll/core/internal/without-undefined";
import { defaultKept, type KeptMosts } from "./limits/kept-limits.ts";

/** Parts of the registry that can be turned off; their operations are then not found, and the error names the setting. */
export interface Features {
  readonly anonymousAccess: boolean;
  readonly appTokens: boolean;
  readonly autoPrune: boolean;
  /** On where absent and something builds images: `Ports.imageBuilder`. */
  readonly builds: boolean;
  /** Whether logs can be exported, besides being read. */
  readonly logExport: boolean;
  /** Whether every admin of an organization can synchronize its teams with a directory, not only admins who are superusers. */
  readonly memberTeamSync: boolean;
  /** Whether repositories can be kept in step with those of other registries. */
  readonly mirroring: boolean;
  /** Whether admins of an organization can ask users to grant its applications tokens. */
  readonly oauthAssignments: boolean;
  /** Whether organizations can be caches of other registries. */
  readonly proxyCache: boolean;
  readonly quotas: boolean;
  /** Whether notifications of events in a repository can be set up. */
  readonly repositoryNotifications: boolean;
  /** Whether users must accept an invitation before they are added to a team. */
  readonly requireTeamInvite: boolean;
  /** Whether robots other than the `allowedRobots` can be created and used. */
  readonly robots: boolean;
  readonly securityScanner: boolean;
  readonly superuserFullAccess: boolean;
  readonly superuserOrganizationCreationOnly: boolean;
  readonly superusers: boolean;
  readonly teamSync: boolean;
  /** Whether anonymous callers can create an account for themselves. */
  readonly userCreation: boolean;
  /** Whether the first account can be made over the API while there is none. */
  readonly userInitialize: boolean;
}

/**
 * The clients that the management API is made for: `contract` is the documented API; `reference` answers like the known
 * implementation where its existing clients depend on it.
 */
export type RegistryCompatibility = "contract" | "reference";

/** The settings of a registry. */
export interface RegistrySettings {
  /** The host name of the registry, with the port if it is not the scheme's. Mail and messages to others use it. */
  readonly host: string;
  /**
   * Other host names that clients use, in lower case: addresses in a response then have the host name of its request. `any`
   * accepts every host name.
   */
  readonly hosts: readonly string[] | "any";
  readonly scheme: "http" | "https";
  readonly title: string;
  readonly compatibility: RegistryCompatibility;
  readonly contact?: string;
  /** User names. */
  readonly superusers: readonly string[];
  /** User names of superusers who may see everything and change nothing. */
  readonly globalReadonlySuperusers: readonly string[];
  readonly features: Features;
  /**
   * Whether the registry is read-only: users can sign in and out, and nothing else changes. Its jobs must not be run then.
   */
  readonly readOnly: boolean;
  /** Names of robots, `namespace+short`, that can be used although the feature `robots` is off. */
  readonly allowedRobots: readonly string[];
  /** How long after signing in a user can run sensitive operations without entering the password again. */
  readonly freshLoginSeconds: number;
  /** How many accounts can be made from one network (an IPv4 address, 64 bits of an IPv6 address) in an hour, at each node. */
  readonly accountsPerAddressPerHour: number;
  readonly sessionSeconds: number;
  readonly appTokenSeconds?: number;
  /** What the console offers for how long removed tags can be restored; the API takes any number of seconds. */
  readonly tagExpirationOptionsSeconds: readonly number[];
  readonly defaultTagExpirationSeconds: number;
  /** Whether the usage log records who signs in and out. */
  readonly logSignIns: boolean;
  /** Whether the usage log also records failed sign-ins. Every client can make the log grow with them. */
  readonly logFailedSignIns: boolean;
  /** After how many days entries of the usage log are moved to the blob store; they stay where absent. */
  readonly logRetentionDays?: number;
  /** Whether calls of browsers must carry `X-Requested-With`: without it they are logged, and refused where they read. */
  readonly browserCallsXhrOnly: boolean;
  readonly createPrivateRepositoryOnPush: boolean;
  readonly maxBodyBytes: number;
  readonly maxBlobBytes: number;
  readonly maxManifestBytes: number;
  /**
   * How many layers a manifest may have, and how many manifests an index. Runtimes stack at most 500 layers; artifacts that list
   * files as layers have thousands.
   */
  readonly maxManifestLayers: number;
  /** Whether an image index can be pushed before, or without, some of its manifests. */
  readonly sparseIndexes: boolean;
  /** How long the push of a manifest waits until its image is scanned. */
  readonly scanPatienceSeconds: number;
  /** Internal hosts and networks that mirrors, proxy caches and webhooks may send requests to. */
  readonly allowedInternalHosts: readonly string[];
  /**
   * Public keys in PEM. A mirror copies an image only if one of them has signed it with cosign, unless its `unsigned_images` is true;
   * where there is no key, any image is copied.
   */
  readonly mirrorSignatureKeys: readonly string[];
  /** How much a namespace, a repository, a team or a user may keep. */
  readonly keptLimits: KeptMosts;
  /** Bytes a namespace may use where it has no quota of its own. */
  readonly defaultQuotaBytes?: number;
}

const day = 86_400;

/** The default settings. */
export const defaultRegistrySettings: RegistrySettings = {
  host: "localhost",
  hosts: [],
  scheme: "http",
  title: "Plimsoll",
  compatibility: "contract",
  superusers: [],
  globalReadonlySuperusers: [],
  features: {
    anonymousAccess: true,
    appTokens: true,
    autoPrune: true,
    builds: false,
    logExport: true,
    memberTeamSync: false,
    mirroring: true,
    oauthAssignments: true,
    proxyCache: true,
    quotas: true,
    repositoryNotifications: true,
    requireTeamInvite: true,
    robots: true,
    securityScanner: true,
    superuserFullAccess: false,
    superuserOrganizationCreationOnly: false,
    superusers: true,
    teamSync: true,
    userCreation: true,
    userInitialize: true,
  },
  readOnly: false,
  allowedRobots: [],
  freshLoginSeconds: 600,
  accountsPerAddressPerHour: 20,
  sessionSeconds: 31 * day,
  tagExpirationOptionsSeconds: [0, day, 7 * day, 14 * day, 28 * day],
  defaultTagExpirationSeconds: 14 * day,
  logSignIns: true,
  logFailedSignIns: false,
  browserCallsXhrOnly: true,
  createPrivateRepositoryOnPush: true,
  maxBodyBytes: 1024 * 1024,
  maxBlobBytes: 20 * 1024 ** 3,
  maxManifestBytes: 8 * 1024 * 1024,
  maxManifestLayers: 4096,
  sparseIndexes: false,
  scanPatienceSeconds: 30,
  allowedInternalHosts: [],
  mirrorSignatureKeys: [],
  keptLimits: defaultKept,
};

/** Settings where they differ from the default ones. */
export type GivenRegistrySettings = Partial<Omit<RegistrySettings, "features" | "keptLimits">> & {
  readonly features?: Partial<Features>;
  readonly keptLimits?: Partial<KeptMosts>;
};

/**
 * The given settings, completed with the default ones. Getters stay getters, so that a host may become known later. Without a
 * given host, every host name that a request uses is accepted.
 * @param usual features whose default depends on the ports
 * @example
 * const settings = completeSettings({ superusers: ["anna"], features: { userCreation: false } });
 */
export function completeSettings(given: GivenRegistrySettings = {}, usual: Partial<Features> = {}): RegistrySettings {
  const stated = Object.entries(Object.getOwnPropertyDescriptors(given)).filter(
    ([, { get, value }]) => get !== undefined || value !== undefined,
  );
  const descriptors = Object.fromEntries(stated);
  return Object.defineProperties(
    { ...defaultRegistrySettings, ...(descriptors.host === undefined && { hosts: "any" }) },
    {
      ...descriptors,
      features: {
        value: { ...defaultRegistrySettings.features, ...usual, ...withoutUndefined(given.features ?? {}) },
        enumerable: true,
      },
      keptLimits: { value: { ...defaultKept, ...withoutUndefined(given.keptLimits ?? {}) }, enumerable: true },
    },
  );
}

/** The default limits of a build. What builds images allows at most half of the machine's memory. */
export const defaultBuildLimits = {
  memoryBytes: 4 * 1024 ** 3,
  processes: 2048,
  diskBytes: 20 * 1024 ** 3,
  files: 2_000_000,
} as const;

/** The scheme and the host of the registry, from its settings or from a request. */
export interface Origin {
  readonly scheme: "http" | "https";
  /** With the port where it is not the scheme's. */
  readonly host: string;
}

/**
 * The address of the registry, without a slash at its end.
 * @example
 * baseUrl({ scheme: "https", host: "registry.example" }); // "https://registry.example"
 */
export function baseUrl({ scheme, host }: Origin): string {
  return `${scheme}://${host}`;
}
