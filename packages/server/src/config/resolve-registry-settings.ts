import { join } from "node:path";
import { trimEnd, withoutUndefined } from "@plimsoll/core/internal";
import { defaultRegistrySettings, type RegistrySettings } from "@plimsoll/registry/settings";
import type { LdapSignIn } from "@plimsoll/registry-adapters/ldap";
import type { AwsEnvironment, S3Credentials } from "@plimsoll/registry-adapters/s3";
import { UsageError } from "../cli/exit-code.ts";
import { type allSettings, namesInto } from "./all-settings.ts";
import { oidcProvidersOf } from "./oidc-settings.ts";
import type { RegistryServiceSettings, StorageSettings } from "./registry-settings.ts";
import type { NamesInto } from "./setting.ts";
import { registrySettings } from "./settings/registry-settings.ts";
import { signInSettings, storageSettings } from "./settings/storage-settings.ts";
import type { GivenSettings } from "./settings.ts";
import { wrongValue } from "./wrong-value.ts";

/** Resolves the registry's settings. @throws UsageError if some are missing or contradict each other */
export function registrySettingsOf(
  given: GivenSettings,
  dataFolder: string,
  env: AwsEnvironment,
): RegistryServiceSettings {
  const {
    registryHosts: names,
    registryHost: host = names?.[0],
    registryTitle: title,
    registryContact: contact,
    registryReadOnly: readOnly,
    registryCompatibility: compatibility,
    secretKey,
  } = given;
  checkLogRetention(given.logRetentionDays);
  const { host: _host, ...defaults } = defaultRegistrySettings;
  const { builds: _builds, ...features } = defaults.features;
  return {
    settings: {
      ...defaults,
      ...picked(given),
      host,
      hosts: host === undefined ? "any" : (names ?? []).map((name) => name.toLowerCase()),
      ...withoutUndefined({ title, contact, readOnly, compatibility }),
      scheme:
        (given.behindTls ?? registrySettings.behindTls.default) || given.tlsCertificate !== undefined
          ? "https"
          : "http",
      features: { ...features, ...withoutUndefined(given.features ?? {}) },
      keptLimits: { ...defaultRegistrySettings.keptLimits, ...withoutUndefined(given.keptLimits ?? {}) },
    },
    imageBuilds: {
      folder: join(dataFolder, "builds"),
      environment: env,
      buildLimits: given.buildLimits,
      network: given.buildNetwork ?? registrySettings.buildNetwork.default,
    },
    secretKey: secretKey === undefined ? undefined : checkKey(secretKey),
    secretFile: join(dataFolder, "registry-secret"),
    storage: storageOf(given, dataFolder, env),
    ...mailOf(given),
    ...ldapOf(given),
    oidcProviders: oidcProvidersOf(given.oidcProviders),
    mirrorSignatureKeyFiles: given.mirrorSignatureKeys ?? registrySettings.mirrorSignatureKeys.default,
  };
}

/** The given settings that the registry has under the same name. */
function picked(given: GivenSettings): Partial<Pick<RegistrySettings, NamesInto<typeof allSettings, "registry">>> {
  return Object.fromEntries(
    namesInto("registry").flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** Entries are summed by day a day later, before they may be moved. */
const leastLogDays = 3;

function checkLogRetention(days: number | undefined): void {
  if (days === undefined || days >= leastLogDays) return;
  throw new UsageError(`logRetentionDays: expected at least ${leastLogDays}, found ${days}`);
}

function checkKey(text: string): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (key.length >= 32) return key;
  throw new UsageError(`secretKey: expected at least 32 bytes, found ${key.length}`);
}

function storageOf(given: GivenSettings, dataFolder: string, env: AwsEnvironment): StorageSettings {
  const { storage = join(dataFolder, "blobs") } = given;
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])(?:\/([\w./-]*))?$/.exec(storage) ?? [];
  if (bucket === undefined) {
    if (/^\w+:\/\//.test(storage))
      throw wrongValue({ place: "storage", expected: "a folder or s3://BUCKET/PREFIX", found: storage });
    return { kind: "files", folder: storage };
  }
  const { s3Region: region = storageSettings.s3Region.default } = given;
  return {
    kind: "s3",
    bucket,
    prefix: trimEnd(prefix, "/"),
    endpoint: given.s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    addressing: given.s3Addressing ?? storageSettings.s3Addressing.default,
    ...s3CredentialsOf(given),
    environment: Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("AWS_"))),
    redirect: given.s3Redirect ?? storageSettings.s3Redirect.default,
    answerSeconds: given.s3TimeoutSeconds ?? storageSettings.s3TimeoutSeconds.default,
  };
}

/** The credentials of the settings; none if they come from the environment. */
function s3CredentialsOf(given: GivenSettings): { readonly credentials?: S3Credentials } {
  const { s3AccessKeyId, s3SecretAccessKey, s3SessionToken: sessionToken } = given;
  if (s3AccessKeyId === undefined && s3SecretAccessKey === undefined && sessionToken === undefined) return {};
  const accessKeyId = required("s3AccessKeyId", s3AccessKeyId, "s3SecretAccessKey");
  const secretAccessKey = required("s3SecretAccessKey", s3SecretAccessKey, "s3AccessKeyId");
  return { credentials: { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined } };
}

function mailOf({ smtpUrl: url, mailFrom, smtpPlain }: GivenSettings): Pick<RegistryServiceSettings, "mail"> {
  if (url === undefined) return {};
  if (!/^smtps?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError("smtpUrl: expected smtp://HOST:PORT or smtps://…");
  return {
    mail: {
      url,
      from: required("mailFrom", mailFrom, "smtpUrl"),
      requireTls: !(smtpPlain ?? signInSettings.smtpPlain.default),
    },
  };
}

/** The LDAP directory of the settings. @throws UsageError */
function ldapOf(given: GivenSettings): Pick<RegistryServiceSettings, "ldap"> {
  const { ldapUrl: url } = given;
  if (url === undefined) return {};
  if (!/^ldaps?:\/\//.test(url)) throw new UsageError("ldapUrl: expected ldap://HOST:PORT or ldaps://…");
  return {
    ldap: {
      url,
      bindDn: required("ldapBindDn", given.ldapBindDn, "ldapUrl"),
      bindPassword: required("ldapBindPassword", given.ldapBindPassword, "ldapUrl"),
      nameAttribute: given.ldapNameAttribute ?? signInSettings.ldapNameAttribute.default,
      startTls: !(given.ldapPlain ?? signInSettings.ldapPlain.default),
      caFile: given.ldapCa,
      ...ldapSignInOf(given),
    },
  };
}

function ldapSignInOf(given: GivenSettings): { readonly signIn?: LdapSignIn } {
  const { ldapUserBase: base, ldapUserFilter: filter } = given;
  const { ldapSuperuserFilter: superuserFilter, ldapRestrictedUserFilter: restrictedFilter } = given;
  const filters = {
    ldapUserFilter: filter,
    ldapSuperuserFilter: superuserFilter,
    ldapRestrictedUserFilter: restrictedFilter,
  };
  for (const [name, text] of Object.entries(filters)) {
    if (text === undefined) continue;
    required("ldapUserBase", base, name);
    if (!isOneFilter(text)) throw wrongValue({ place: name, expected: "one filter in parentheses", found: text });
  }
  if (base === undefined) return {};
  if (filter?.includes("{login}") === false) {
    throw wrongValue({ place: "ldapUserFilter", expected: "a filter with {login} in it", found: filter });
  }
  return {
    signIn: {
      base,
      filter,
      superuserFilter,
      restrictedFilter,
    },
  };
}

/**
 * Whether a text is exactly one filter in parentheses, so that it keeps its meaning inside another filter.
 * @see https://www.rfc-editor.org/rfc/rfc4515#section-3
 */
export function isOneFilter(text: string): boolean {
  let depth = 0;
  let ends = 0;
  for (const character of text) {
    if (depth === 0 && (character !== "(" || ends > 0)) return false;
    if (character === "(") depth++;
    else if (character === ")" && --depth === 0) ends++;
  }
  return ends === 1 && depth === 0;
}

/** The value of a setting that another one needs. @throws UsageError if it is missing */
function required(name: string, value: string | undefined, because: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`${name} is missing: ${because} needs it`);
}
