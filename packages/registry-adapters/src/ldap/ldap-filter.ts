/**
 * An LDAP filter with a value in the place of each `{login}`. Special characters of filters are escaped, so that the value matches only
 * itself.
 * @see https://www.rfc-editor.org/rfc/rfc4515#section-3
 * @example
 * fillFilter("(uid={login})", "a*") // (uid=a\2a)
 */
export function fillFilter(template: string, login: string): string {
  return template.replaceAll("{login}", () => escapeFilterValue(login));
}

/**
 * An LDAP filter that an entry matches if it matches the template for some value.
 * @example
 * wildcardFilter("(&(uid={login})(sn=D))") // (&(uid=*)(sn=D))
 */
export function wildcardFilter(template: string): string {
  return template.replaceAll("{login}", "*").replace(/\*{2,}/g, "*");
}

/**
 * An LDAP filter that an entry matches if an attribute has one of the values.
 * @example
 * anyOf("uid", ["ann", "b*b"]) // (|(uid=ann)(uid=b\2ab))
 */
export function anyOf(attribute: string, values: readonly string[]): string {
  return `(|${values.map((value) => `(${attribute}=${escapeFilterValue(value)})`).join("")})`;
}

function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
