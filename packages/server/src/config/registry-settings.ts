import type { ProxySettings } from "@plimsoll/outbound";
import type { SettingInForce } from "@plimsoll/registry";
import type { Features, RegistrySettings } from "@plimsoll/registry/settings";
import type { BuildLimits, BuildNetwork } from "@plimsoll/registry-adapters/builds";
import type { LdapSignIn } from "@plimsoll/registry-adapters/ldap";
import type { AwsEnvironment, S3Credentials } from "@plimsoll/registry-adapters/s3";
import type { OidcProviderSettings } from "./oidc-settings.ts";

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
