import { NotifierError } from "./errors.ts";
import type { NotificationPage } from "./notification.ts";
import { readPage } from "./store/notification-pages.ts";
import { deleteSet } from "./store/notification-sets.ts";
import type { NotifierStore } from "./store/tables.ts";

/** The notifier without its network face. */
export interface NotificationService {
  /**
   * A page of a set. One that is gone, or never was, is empty: the contract knows no 404 here.
   * @throws NotifierError for an id, a size or a token that cannot be one
   */
  getPage(id: string, options?: GetPageOptions): Promise<NotificationPage>;
  /** Removes a set with all its notifications; harmless when it is gone. @throws NotifierError `malformed_set_id` */
  deleteSet(id: string): Promise<void>;
}

/** Which page. */
export interface GetPageOptions {
  /** From 1; 500 where absent; more than 5000 are never given. */
  readonly pageSize?: number;
  /** `page.next` of the page before. */
  readonly next?: string;
}

const usualPageSize = 500;
const largestPageSize = 5_000;

/** The service over a store. */
export function createNotificationService(store: NotifierStore): NotificationService {
  return {
    async getPage(id, { pageSize = usualPageSize, next } = {}) {
      const setId = parseSetId(id);
      if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
        throw new NotifierError("malformed_page_size", `expected a page size of at least 1, found ${pageSize}`);
      }
      const after = next === undefined ? 0 : parsePageToken(next);
      return readPage(store, setId, { size: Math.min(pageSize, largestPageSize), after });
    },
    async deleteSet(id) {
      await deleteSet(store.db, parseSetId(id));
    },
  };
}

/** A UUID as it is stored. */
function parseSetId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new NotifierError("malformed_set_id", `expected the UUID of a notification set, found ${shown(text)}`);
}

/** A token is the place of the last notification of the page before. */
function parsePageToken(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new NotifierError("malformed_page_token", `expected the page.next of another page, found ${shown(text)}`);
  }
  return Number(text);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
