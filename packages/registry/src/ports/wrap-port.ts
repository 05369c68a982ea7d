/**
 * A port with some members changed. All others are those of `inner`, called on it, so that it may be an object of a class, and members that
 * an interface gets later are forwarded too.
 * @example
 * declare const blobs: BlobStore;
 * const empty = wrapPort(blobs, { find: async () => undefined });
 */
export function wrapPort<Port extends object>(inner: Port, changes: Partial<Port>): Port {
  return new Proxy(inner, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return changes[name as keyof Port];
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
