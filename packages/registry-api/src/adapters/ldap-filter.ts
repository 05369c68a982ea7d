/**
 * An LDAP filter with a value in the place of each `{login}`. Characters that mean something in a filter are escaped, so that the value
 * matches itself only.
 * @see https://www.rfc-editor.org/rfc/rfc4515#section-3
 * @example
 * fillFilter("(uid={login})", "a*") // (uid=a\2a)
 */
export function fillFilter(template: string, login: string): string {
  return template.replaceAll("{login}", () => escapeFilterValue(login));
}

function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
