import { randomUUID } from "node:crypto";
import { Attribute, Change, Client } from "ldapts";

const root = "dc=example,dc=com";
const administrator = { bindDn: `cn=admin,${root}`, bindPassword: "admin" };

/** Passwords of people by their names. */
export type People = Readonly<Record<string, string>>;

/** People and one group of them in a directory that `scripts/start-service.sh slapd` has started; gone when it is disposed of. */
export class DirectoryPeople implements AsyncDisposable {
  /** Where the people are. */
  readonly base = `ou=${randomUUID()},${root}`;
  readonly group = `cn=team,${this.base}`;
  readonly url: string;
  readonly #client: Client;

  private constructor(url: string) {
    this.url = url;
    this.#client = new Client({ url });
  }

  static async open(url: string, people: People): Promise<DirectoryPeople> {
    const opened = new DirectoryPeople(url);
    await opened.#client.bind(administrator.bindDn, administrator.bindPassword);
    await opened.#add(people);
    return opened;
  }

  /** What a registry is started with that takes its users from here. */
  get settings() {
    const { bindDn: ldapBindDn, bindPassword: ldapBindPassword } = administrator;
    return { ldapUrl: this.url, ldapBindDn, ldapBindPassword, ldapPlain: "true", ldapUserBase: this.base };
  }

  /** Takes a person out of the group. */
  async leaveGroup(name: string): Promise<void> {
    const modification = new Attribute({ type: "member", values: [this.#dn(name)] });
    await this.#client.modify(this.group, new Change({ operation: "delete", modification }));
  }

  /** Deletes the entry of a person. */
  async leave(name: string): Promise<void> {
    await this.#client.del(this.#dn(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { searchEntries } = await this.#client.search(this.base, { attributes: ["dn"] });
    const below = searchEntries.map(({ dn }) => dn).sort((one, other) => other.length - one.length);
    for (const dn of below) await this.#client.del(dn);
    await this.#client.unbind();
  }

  async #add(people: People): Promise<void> {
    const names = Object.keys(people);
    const [ou = ""] = this.base.slice("ou=".length).split(",");
    await this.#client.add(this.base, { objectClass: "organizationalUnit", ou });
    for (const [uid, userPassword] of Object.entries(people)) {
      await this.#client.add(this.#dn(uid), { objectClass: "inetOrgPerson", uid, cn: uid, sn: uid, userPassword });
    }
    const member = names.map((name) => this.#dn(name));
    await this.#client.add(this.group, { objectClass: "groupOfNames", cn: "team", member });
  }

  #dn(name: string): string {
    return `uid=${name},${this.base}`;
  }
}
