import type { SettingKind } from "./setting-kind.ts";

/** A proxy's address, which may contain a user name and a password. */
export const proxyAddress: SettingKind<string> = {
  fromText: (given) => (/^https?:\/\//.test(given) && URL.canParse(given) ? given : undefined),
  fromJson: (json) => (typeof json === "string" ? proxyAddress.fromText(json) : undefined),
  expected: "a proxy's address, http://HOST:PORT",
  isSecret: true,
};
