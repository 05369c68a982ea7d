import { LRUCache } from "lru-cache";
import { entriesUpTo } from "./entries-up-to.ts";

/** Repositories that are remembered; the least recently used is forgotten first, and counted at its next push. */
const maxRepositories = 10_000;

/**
 * How many tags this process may surely add to repositories before it has to count their tags again, which takes long for many. After a
 * count, half of the room is used without another one: the other half is for what other processes add meanwhile. So near the limit
 * each push counts.
 * @example
 * const room = new TagRoom();
 * room.counted("1", 10_000); // its repository may have so many more tags
 * room.take("1", 2); // true: the tags need not be counted
 */
export class TagRoom {
  readonly #free = new LRUCache<string, number>(entriesUpTo(maxRepositories));

  /** Whether there is surely room for more tags. They are taken from it. */
  take(repositoryId: string, tags: number): boolean {
    const free = this.#free.get(repositoryId) ?? 0;
    this.#free.set(repositoryId, Math.max(0, free - tags));
    return free >= tags;
  }

  /** Notes how many more tags a repository may have, by a count in a transaction that has locked it. */
  counted(repositoryId: string, left: number): void {
    this.#free.set(repositoryId, Math.floor(left / 2));
  }
}
