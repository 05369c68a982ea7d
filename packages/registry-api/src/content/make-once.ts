/**
 * `make` for things that are given again and again, as remembered rows are: what it made of one before is given again, and frozen.
 * Whatever else it is given must follow from the thing.
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
