import type { ProxySettings } from "@plimsoll/scanner";
import { defaultTrafficLimits, type TrafficLimits } from "../serve/traffic-limits.ts";
import { type allSettings, defaultsInto } from "./all-settings.ts";
import type { NotificationSettings } from "./notification-settings.ts";
import type { RegistryServiceSettings } from "./registry-settings.ts";
import type { ServiceMode } from "./service-modes.ts";
import type { ResolvedInto } from "./setting.ts";
import { pollPeriods } from "./settings/notification-settings.ts";
import { type compatibilityProfiles, listeningSettings } from "./settings/service-settings.ts";
import type { TracingSettings } from "./tracing-settings.ts";

/** One of {@link compatibilityProfiles}. */
export type CompatibilityProfile = (typeof compatibilityProfiles)[number];

/**
 * The settings of the service that `docs/reference/configuration.md` describes under the same names, with their values or defaults. Those without a
 * default are optional.
 */
export type DeclaredServiceSettings = ResolvedInto<typeof allSettings, "service">;

/** The resolved settings of the service: the declared ones, and those that are made of several. */
export interface ServiceSettings extends DeclaredServiceSettings {
  readonly database: string;
  readonly modes: readonly ServiceMode[];
  readonly auth?: { readonly key: Uint8Array; readonly issuers: readonly string[] };
  /** Absent: feeds are never updated. */
  readonly updatePeriodSeconds?: number;
  /** Absent: layers and feeds are fetched without a proxy. */
  readonly proxy?: ProxySettings;
  /** One or more addresses without a slash at their end; if one cannot be reached, the next one is used. */
  readonly indexerAddress?: readonly string[];
  readonly matcherAddress?: readonly string[];
  readonly notifications?: NotificationSettings;
  /** How often the registry looks for updates of feeds, for the notifications of its repositories. */
  readonly registryPollSeconds: number;
  /** The limits of responses that clients do not read, and of bodies that they send slowly. */
  readonly traffic: TrafficLimits;
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Absent: nothing is traced. */
  readonly traces?: TracingSettings;
  /** Absent: this process does nothing for a registry. */
  readonly registry?: RegistryServiceSettings;
}

/** The defaults of the service's settings. */
export const defaultServiceSettings: Omit<ServiceSettings, "database"> = {
  ...defaultsInto("service"),
  modes: listeningSettings.mode.default,
  registryPollSeconds: pollPeriods.registrySeconds,
  traffic: defaultTrafficLimits,
};
