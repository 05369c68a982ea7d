/** A person or an organization that a package names. */
export interface Party {
  readonly name: string;
  readonly email?: string;
}

/** Reads `Name <mail>`, a name or an address. Of several, separated by commas after an address, the first. */
export function partyOf(text: string): Party {
  const open = text.indexOf("<");
  const email = open < 0 ? "" : text.slice(open + 1, text.indexOf(">", open));
  if (!isEmail(email)) return { name: text.trim() };
  const name = text.slice(0, open).trim().replaceAll('"', "");
  return { name: name || email, email };
}

function isEmail(text: string): boolean {
  const [local = "", domain = "", ...rest] = text.split("@", 3);
  return local !== "" && domain !== "" && rest.length === 0 && !/[\s<>,]/.test(text);
}

const address = /^(?:https?|git|ssh|svn|git\+https?|git\+ssh):\/\/[^\s<>"\\^`{|}]+$/i;

/** An address that documents may have; undefined for other text, which a package may have in its place. */
export function addressOf(text: string | undefined): string | undefined {
  return text !== undefined && address.test(text) ? text : undefined;
}
