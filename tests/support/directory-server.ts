import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import {
  AndFilter,
  BerReader,
  BerWriter,
  BindRequest,
  type Filter,
  OrFilter,
  PresenceFilter,
  ProtocolOperation,
  SearchRequest,
} from "ldapts";

/** Someone in a directory. */
export interface DirectoryPerson {
  readonly uid: string;
  readonly mail: string;
  readonly password: string;
}

/** A directory that is spoken to by LDAP, on loopback and without TLS: for tests that cannot start OpenLDAP. */
export interface DirectoryServer extends AsyncDisposable {
  /** What a registry is started with that takes its users from here. */
  readonly ldap: {
    readonly url: string;
    readonly bindDn: string;
    readonly bindPassword: string;
    readonly startTls: false;
    readonly signIn: { readonly base: string };
  };
}

const base = "ou=people,dc=example,dc=com";
const reader = { bindDn: "cn=reader,dc=example,dc=com", bindPassword: "readers-password" };
const dnOf = ({ uid }: DirectoryPerson) => `uid=${uid},${base}`;

/** Starts a directory of some people. It answers binds and searches, by the filters of the requests. */
export async function startDirectoryServer(people: readonly DirectoryPerson[]): Promise<DirectoryServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let length = messageLength(bytes); length !== undefined; length = messageLength(bytes)) {
        for (const answer of answersTo(new BerReader(bytes.subarray(0, length)), people)) socket.write(answer);
        bytes = bytes.subarray(length);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ldap: { url, ...reader, startTls: false, signIn: { base } },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** How many bytes the first message has; undefined while it has not arrived. */
function messageLength(bytes: Buffer): number | undefined {
  const ber = new BerReader(bytes);
  if (bytes.length < 2 || ber.readSequence() === null || ber.remain < ber.length) return undefined;
  return ber.offset + ber.length;
}

/** @see https://www.rfc-editor.org/rfc/rfc4511#section-4 */
function answersTo(message: BerReader, people: readonly DirectoryPerson[]): readonly Buffer[] {
  message.readSequence();
  const messageId = message.readInt() ?? 0;
  const operation = message.peek();
  message.readSequence();
  switch (operation) {
    case ProtocolOperation.LDAP_REQ_BIND: {
      const asked = new BindRequest({ messageId });
      asked.parseMessage(message);
      const known = [[reader.bindDn, reader.bindPassword], ...people.map((each) => [dnOf(each), each.password])];
      const isKnown = known.some(([dn, password]) => dn === asked.dn && password === asked.password);
      return [result(messageId, ProtocolOperation.LDAP_RES_BIND, isKnown ? 0 : invalidCredentials)];
    }
    case ProtocolOperation.LDAP_REQ_SEARCH: {
      const asked = new SearchRequest({ messageId, filter: undefined as never });
      asked.parseMessage(message);
      const found = people.filter((person) => isMatch(asked.filter, person));
      return [
        ...found.map((person) => entry(messageId, person)),
        result(messageId, ProtocolOperation.LDAP_RES_SEARCH, 0),
      ];
    }
    default:
      return [];
  }
}

/**
 * Whether a filter matches a person. A person has each attribute, so a filter of presence matches: ldapts does not read its attribute
 * rightly from a request.
 */
function isMatch(filter: Filter, person: DirectoryPerson): boolean {
  if (filter instanceof AndFilter) return filter.filters.every((each) => isMatch(each, person));
  if (filter instanceof OrFilter) return filter.filters.some((each) => isMatch(each, person));
  return filter instanceof PresenceFilter || filter.matches({ uid: person.uid, mail: person.mail });
}

const invalidCredentials = 49;

function result(messageId: number, operation: number, code: number): Buffer {
  return written(messageId, operation, (ber) => {
    ber.writeEnumeration(code);
    ber.writeString("");
    ber.writeString("");
  });
}

function entry(messageId: number, person: DirectoryPerson): Buffer {
  return written(messageId, ProtocolOperation.LDAP_RES_SEARCH_ENTRY, (ber) => {
    ber.writeString(dnOf(person));
    ber.startSequence();
    for (const name of ["uid", "mail"] as const) {
      ber.startSequence();
      ber.writeString(name);
      ber.startSequence(setOf);
      ber.writeString(person[name]);
      ber.endSequence();
      ber.endSequence();
    }
    ber.endSequence();
  });
}

const setOf = 0x31;

function written(messageId: number, operation: number, content: (ber: BerWriter) => void): Buffer {
  const ber = new BerWriter();
  ber.startSequence();
  ber.writeInt(messageId);
  ber.startSequence(operation);
  content(ber);
  ber.endSequence();
  ber.endSequence();
  return ber.buffer;
}
