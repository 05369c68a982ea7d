import { type SettingName, settingKinds } from "./settings.ts";

/** Settings under one heading of the configuration reference. */
export interface SettingGroup {
  readonly title: string;
  /** One or two sentences: what these settings are for. */
  readonly about: string;
  readonly names: readonly SettingName[];
}

/** The first setting of each group. A group ends before the next one, in the order of the declarations. */
const beginnings: Partial<Record<SettingName, readonly [title: string, about: string]>> = {
  db: ["The command", "What `plimsoll scan` and the other commands read and print."],
  feeds: ["Other hosts", "Where advisories and images are fetched from, and through which proxy."],
  data: ["Data", "Where a service stores its data."],
  host: ["Listening", "The address that a service listens on, and the services of a process."],
  vendor: ["Scanner API", "The scanner API, and the authentication of its clients."],
  updatePeriodSeconds: ["Feeds", "How a matcher keeps its advisories up to date."],
  layerNetworks: ["Layers", "Where layers may be fetched from, and limits for reading a layer."],
  indexerAddress: ["Other services", "The addresses of services that run in another process."],
  notificationCallback: [
    "Notifications",
    "How receivers are notified of new vulnerabilities in indexed images: by a webhook, AMQP or STOMP; only one of them.",
  ],
  trustedProxies: ["Running a service", "Proxies before a service, its shutdown, and TLS."],
  tracesEndpoint: ["Traces and logs", "What a service reports about its own work."],
  registryHost: ["Registry", "The registry's name, its administrators and its features."],
  storage: ["Blob storage", "Where the registry stores blobs."],
  smtpUrl: [
    "Mail, directory and identity providers",
    "The mail server, the directory and the identity providers that the registry uses.",
  ],
};

/** All settings, each in one group. */
export const settingGroups: readonly SettingGroup[] = groups();

function groups(): readonly SettingGroup[] {
  const found: { title: string; about: string; names: SettingName[] }[] = [];
  for (const name of Object.keys(settingKinds) as SettingName[]) {
    const beginning = beginnings[name];
    if (beginning !== undefined) found.push({ title: beginning[0], about: beginning[1], names: [] });
    found.at(-1)?.names.push(name);
  }
  return found;
}
