/**
 * Wraps `make` so that its result for an object is computed once, frozen, and returned again for the same object. For objects that
 * are passed often, such as cached rows. The other arguments must follow from the object.
 */
export function makeOnce<Thing extends object, More extends readonly unknown[], Made extends object>(
  make: (thing: Thing, ...more: More) => Made,
): (thing: Thing, ...more: More) => Made {
  const known = new WeakMap<Thing, Made>();
  return (thing, ...more) => {
    const before = known.get(thing);
    if (before !== undefined) return before;
    const made = Object.freeze(make(thing, ...more));
    known.set(thing, made);
    return made;
  };
}
