import { isIP } from "node:net";
import { join } from "node:path";
import { withoutUndefined } from "@plimsoll/core/internal";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { threadsThatFit } from "@plimsoll/indexer";
import type { SettingInForce } from "@plimsoll/registry";
import { parseStoreLocation, StoreError } from "@plimsoll/store";
import { UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { defaultTrafficLimits, type TrafficLimits } from "../serve/traffic-limits.ts";
import { trustedNetworks } from "../serve/trusted-proxies.ts";
import { meaningOf, namesInto, type SettingName, settingGroups, settingNamed } from "./all-settings.ts";
import { readFileSettings } from "./configuration-files.ts";
import { httpAddress, notificationsOf } from "./notification-settings.ts";
import { proxyOf } from "./proxy-settings.ts";
import { registrySettingsOf } from "./resolve-registry-settings.ts";
import { type DeclaredServiceSettings, defaultServiceSettings, type ServiceSettings } from "./service-settings.ts";
import { feedSettings } from "./settings/service-settings.ts";
import { type GivenSettings, settingsOfEnvironment, settingsOfFlags } from "./settings.ts";
import { tracesOf } from "./tracing-settings.ts";
import { userFolder } from "./user-folders.ts";
import { harmlessPart, wrongValue } from "./wrong-value.ts";

/** The flags of `plimsoll serve`, unparsed. */
export type ServiceFlags = Readonly<Record<string, string | readonly string[]>>;

/**
 * Resolves the service's settings. Flags (without `--config`) override the environment, which overrides the configuration files,
 * which override the defaults.
 * @throws UsageError if a setting is unknown or malformed, or two contradict each other
 */
export function resolveServiceSettings(
  flags: ServiceFlags,
  fromFiles: GivenSettings,
  io: Pick<CliIo, "env">,
): ServiceSettings {
  const given: GivenSettings = {
    ...fromFiles,
    ...withoutUndefined(settingsOfEnvironment(io.env)),
    ...withoutUndefined(settingsOfFlags(flags)),
  };
  const { data = userFolder("data", io.env) } = given;
  checkNetworks(given);
  const proxies = proxyOf(given, io.env);
  return {
    ...defaultServiceSettings,
    ...picked(given),
    layerThreads: given.layerThreads ?? threadsFor(given),
    database: databaseOf(given) ?? `sqlite:${join(data, "plimsoll.db")}`,
    healthPort: healthPortOf(given),
    ...(given.mode !== undefined && { modes: given.mode }),
    vendor: vendorOf(given),
    ...(given.offline !== true && {
      updatePeriodSeconds: given.updatePeriodSeconds ?? feedSettings.updatePeriodSeconds.default,
    }),
    ...addressesOf(given),
    ...proxiesOf(given),
    traffic: trafficOf(given),
    ...proxies,
    ...notificationsOf(given),
    ...(given.pollPeriodSeconds !== undefined && { registryPollSeconds: given.pollPeriodSeconds }),
    ...authOf(given),
    ...tlsOf(given),
    ...tracesOf(given, io.env),
    registry: { ...registrySettingsOf(given, data, io.env), ...proxies },
  };
}

/** The location of the database, which the message of a wrong one does not contain. */
function databaseOf({ database }: GivenSettings): string | undefined {
  try {
    if (database !== undefined) parseStoreLocation(database);
    return database;
  } catch (cause) {
    if (cause instanceof StoreError) throw new UsageError(`database: ${cause.message}`, { cause });
    throw cause;
  }
}

function threadsFor({ layerHeapMegabytes = defaultServiceSettings.layerHeapMegabytes }: GivenSettings): number {
  return threadsThatFit(defaultServiceSettings.layerThreads, { layerHeapMegabytes });
}

/** The given settings that take effect under their own name. */
function picked(given: GivenSettings): Partial<DeclaredServiceSettings> {
  const names: readonly string[] = namesInto("service");
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

function addressesOf({ indexerAddress, matcherAddress }: GivenSettings) {
  const split = (setting: string, given: string) =>
    given
      .split(/[\s,]+/)
      .filter((each) => each !== "")
      .map((each) => httpAddress(setting, each));
  return {
    indexerAddress: indexerAddress === undefined ? undefined : split("indexerAddress", indexerAddress),
    matcherAddress: matcherAddress === undefined ? undefined : split("matcherAddress", matcherAddress),
  };
}

function proxiesOf({ trustedProxies = [] }: GivenSettings): Pick<ServiceSettings, "trustedProxies"> {
  trustedNetworks(trustedProxies);
  return { trustedProxies };
}

/** The port after the API's by default. Listeners must have different ports. */
function healthPortOf({ port = defaultServiceSettings.port, healthPort, scannerPort }: GivenSettings): number {
  if (healthPort === undefined && port === 65_535)
    throw new UsageError("healthPort is missing: there is no port after 65535");
  const health = healthPort ?? (port === 0 ? 0 : port + 1);
  const ports = Object.entries({ port, healthPort: health, scannerPort }).filter(([, each]) => each);
  for (const [index, [name, each]] of ports.entries()) {
    const other = ports.slice(index + 1).find(([, another]) => another === each);
    if (other !== undefined) throw new UsageError(`${name} and ${other[0]} are both ${each}: expected different ports`);
  }
  return health;
}

/** Checks networks at the start that are used later. */
function checkNetworks({ layerNetworks = [], allowedInternalHosts = [] }: GivenSettings): void {
  const isNetwork = (host: string) => isIP(host.split("/")[0] ?? "") !== 0;
  trustedNetworks(layerNetworks, "layerNetworks");
  trustedNetworks(allowedInternalHosts.filter(isNetwork), "allowedInternalHosts");
}

function vendorOf({ vendor = defaultServiceSettings.vendor }: GivenSettings): string {
  if (/^[a-z][a-z0-9-]*$/.test(vendor)) return vendor;
  throw wrongValue({ place: "vendor", expected: "lower-case letters, digits and hyphens", found: vendor });
}

function authOf({ authKey, authIssuers }: GivenSettings): Pick<ServiceSettings, "auth"> {
  if (authKey === undefined && authIssuers === undefined) return {};
  if (authKey === undefined)
    throw new UsageError("authKey is missing: with authIssuers alone, no client could sign a token");
  if (authIssuers === undefined || authIssuers.length === 0) {
    throw new UsageError("authIssuers is missing: with authKey alone, no client would have access");
  }
  return { auth: { key: Buffer.from(authKey, "base64"), issuers: authIssuers } };
}

function tlsOf({ tlsCertificate, tlsKey }: GivenSettings): Pick<ServiceSettings, "tls"> {
  if (tlsCertificate === undefined && tlsKey === undefined) return {};
  if (tlsCertificate === undefined || tlsKey === undefined) {
    throw new UsageError("tlsCertificate and tlsKey: expected both or none");
  }
  return { tls: { certificate: tlsCertificate, key: tlsKey } };
}

/** Reads the configuration files and resolves the service's settings with {@link resolveServiceSettings}. @throws UsageError */
export async function readServiceSettings(flags: ServiceFlags, io: Pick<CliIo, "env">): Promise<ServiceSettings> {
  const { config, ...own } = flags;
  const { given, fileOf } = await readFileSettings(config === undefined ? undefined : String(config), io);
  const { registry, ...settings } = resolveServiceSettings(own, given, io);
  const sources = { flags: settingsOfFlags(own), environment: settingsOfEnvironment(io.env), files: given, fileOf };
  return { ...settings, registry: registry && { ...registry, inForce: settingsInForce(sources) } };
}

/** Resolves the limits of traffic. */
function trafficOf(given: GivenSettings): TrafficLimits {
  const { connections, sends, bodies } = defaultTrafficLimits;
  return {
    connections: withGiven(connections, {
      idleSeconds: given.connectionIdleSeconds,
      perNetwork: given.connectionsPerNetwork,
      inAll: given.connectionsAtOnce,
    }),
    sends: withGiven(sends, {
      perConnection: given.sendsPerConnection,
      perNetwork: given.sendsPerNetwork,
      inAll: given.sendsAtOnce,
      heldBytes: given.sendMemoryBytes,
      stallSeconds: given.sendStallSeconds,
      leastBytesPerSecond: given.sendBytesPerSecond,
    }),
    bodies: withGiven(bodies, {
      stallSeconds: given.bodyStallSeconds,
      leastBytesPerSecond: given.bodyBytesPerSecond,
    }),
  };
}

function withGiven<Limits extends object>(defaults: Limits, given: Partial<Limits>): Limits {
  return { ...defaults, ...withoutUndefined(given) };
}

/** The given settings by source. */
export interface SettingSources {
  readonly flags: GivenSettings;
  readonly environment: GivenSettings;
  readonly files: GivenSettings;
  /** The file of each setting of `files`. */
  readonly fileOf: Readonly<Partial<Record<SettingName, string>>>;
}

/**
 * Every setting with its value, default, source and description. Values of secrets are left out, and addresses are shown without user
 * names, passwords and queries.
 */
export function settingsInForce(sources: SettingSources): readonly SettingInForce[] {
  return settingGroups.flatMap(({ title, names }) => names.map((name) => settingInForce(name, title, sources)));
}

function settingInForce(
  name: SettingName,
  group: string,
  { flags, environment, files, fileOf }: SettingSources,
): SettingInForce {
  const { meaning, default: otherwise } = meaningOf(name);
  const { isSecret = false, isAddress = false } = settingNamed(name).kind;
  const bare = isAddress ? (text: string) => harmlessPart(withoutCredentials(text)) : withoutCredentials;
  const about = { name, group, meaning, default: otherwise, isSecret };
  const inForce = (source: SettingInForce["source"], given: unknown): SettingInForce => ({
    ...about,
    source,
    value: !isSecret ? JSON.stringify(mapTexts(given, bare)) : undefined,
  });
  if (flags[name] !== undefined) return inForce("flag", flags[name]);
  if (environment[name] !== undefined) return inForce("environment", environment[name]);
  if (files[name] === undefined) return { ...about, source: "default" };
  return { ...inForce("file", files[name]), file: fileOf[name] };
}

/** Replaces every text in a value. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}
