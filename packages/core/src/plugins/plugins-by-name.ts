/**
 * The names that files may have: a path fits if it has one of the endings, or if its last segment has one of the beginnings. Upper and lower case
 * are equal.
 */
export interface FileNames {
  /** At least two characters each. */
  readonly beginnings?: readonly string[];
  /** At least three characters each, which may be of several segments. */
  readonly endings?: readonly string[];
}

interface Named {
  readonly names?: FileNames;
}

const beginningLength = 2;
const shortEndingLength = 3;
const endingLength = 4;

/**
 * Makes the function that finds the plug-ins which may want a file, in their order: those whose names may fit the path, and those without names. Layers
 * have hundreds of thousands of files, of which nearly all fit none of dozens of plug-ins. Only a few characters are compared, as one number: a
 * look-up of a text would make V8 keep every path.
 */
export function pluginsByName<Plugin extends Named>(plugins: readonly Plugin[]): (path: string) => readonly Plugin[] {
  const nameless = new Set(plugins.filter(({ names }) => !isSelective(names)));
  const listsBy = (keysOf: (names: FileNames) => readonly number[]) => {
    const keys = new Set(plugins.flatMap(({ names = {} }) => keysOf(names)));
    const listOf = (key: number) =>
      plugins.filter((each) => nameless.has(each) || keysOf(each.names ?? {}).includes(key));
    return new Map(Array.from(keys, (key) => [key, listOf(key)] as const));
  };
  const isShort = (ending: string) => ending.length < endingLength;
  const byEnding = listsBy(({ endings = [] }) => endings.filter((each) => !isShort(each)).map(endingKey));
  const byShortEnding = listsBy(({ endings = [] }) => endings.filter(isShort).map(shortEndingKey));
  const byBeginning = listsBy(({ beginnings = [] }) => beginnings.map(beginningKey));
  const others = [...nameless];
  const unions = new Map<readonly Plugin[], Map<readonly Plugin[], readonly Plugin[]>>();
  const unionOf = (first: readonly Plugin[], second: readonly Plugin[]): readonly Plugin[] => {
    const ofFirst = unions.get(first) ?? new Map<readonly Plugin[], readonly Plugin[]>();
    unions.set(first, ofFirst);
    const union = ofFirst.get(second) ?? plugins.filter((each) => first.includes(each) || second.includes(each));
    ofFirst.set(second, union);
    return union;
  };
  const joined = (first: readonly Plugin[] | undefined, second: readonly Plugin[] | undefined) =>
    first === undefined || second === undefined ? (first ?? second) : unionOf(first, second);
  return (path) => {
    let found: readonly Plugin[] | undefined = byEnding.get(endingKey(path));
    if (byShortEnding.size > 0) found = joined(found, byShortEnding.get(shortEndingKey(path)));
    if (byBeginning.size > 0) found = joined(found, byBeginning.get(beginningKey(path)));
    return found ?? others;
  };
}

/** Whether all names are long enough. A plug-in with a shorter one is asked for every file. */
function isSelective(names: FileNames | undefined): boolean {
  if (names === undefined) return false;
  const { beginnings = [], endings = [] } = names;
  return (
    beginnings.every((each) => each.length >= beginningLength) &&
    endings.every((each) => each.length >= shortEndingLength)
  );
}

function endingKey(path: string): number {
  const end = path.length;
  const [a, b] = [unitAt(path, end - 4), unitAt(path, end - 3)];
  return (a << 24) | (b << 16) | (unitAt(path, end - 2) << 8) | unitAt(path, end - 1);
}

function shortEndingKey(path: string): number {
  const end = path.length;
  return (unitAt(path, end - 3) << 16) | (unitAt(path, end - 2) << 8) | unitAt(path, end - 1);
}

function beginningKey(path: string): number {
  let start = path.length;
  while (start > 0 && path.charCodeAt(start - 1) !== slash) start--;
  return (unitAt(path, start) << 8) | unitAt(path, start + 1);
}

const slash = 0x2f;

/** Eight bits of a character, without the bit in which ASCII letters of both cases differ. Different characters may be equal. */
function unitAt(text: string, at: number): number {
  return (text.charCodeAt(at) | 0x20) & 0xff;
}
