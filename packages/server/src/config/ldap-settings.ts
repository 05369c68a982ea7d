import type { LdapSignIn } from "@plimsoll/registry-adapters/ldap";
import { UsageError } from "../cli/exit-code.ts";
import type { RegistryServiceSettings } from "./registry-settings.ts";
import { required } from "./required.ts";
import type { GivenSettings } from "./settings.ts";
import { wrongValue } from "./wrong-value.ts";

/** The LDAP directory of the settings. @throws UsageError */
export function ldapOf(given: GivenSettings): Pick<RegistryServiceSettings, "ldap"> {
  const { ldapUrl: url, ldapNameAttribute: nameAttribute, ldapPlain } = given;
  if (url === undefined) return {};
  if (!/^ldaps?:\/\//.test(url)) throw new UsageError("ldapUrl: expected ldap://HOST:PORT or ldaps://…");
  return {
    ldap: {
      url,
      bindDn: required("ldapBindDn", given.ldapBindDn, "ldapUrl"),
      bindPassword: required("ldapBindPassword", given.ldapBindPassword, "ldapUrl"),
      nameAttribute,
      startTls: ldapPlain === true ? false : undefined,
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
