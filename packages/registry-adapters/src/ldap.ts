/** Users and groups of a directory. */
export type { LdapConnection } from "./ldap/ldap-connection.ts";
export { type LdapOptions, ldapDirectory } from "./ldap/ldap-directory.ts";
export type { LdapSignIn } from "./ldap/ldap-users.ts";
