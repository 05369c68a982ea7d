/**
 * Memoizes a function by its first argument, an object such as a cached row. The result is frozen. The other arguments must always be
 * the same for the same object.
 */
export function memoize<Thing extends object, More extends readonly unknown[], Made extends object>(
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
