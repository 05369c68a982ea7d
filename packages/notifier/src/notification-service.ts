import { NotifierError } from "./errors.ts";
import { hasPlace, type PagePlace, parsePagePlace, readPage } from "./store/notification-pages.ts";
import { deleteSet } from "./store/notification-sets.ts";
import type { NotifierStore } from "./store/tables.ts";
import type { NotificationPage } from "./values/notification.ts";

/** The notifier without its HTTP API. */
export interface NotificationService {
  /**
   * A page of a set. An unknown or deleted set is empty, because the contract has no 404 here.
   * @throws NotifierError for a malformed id, size or token, and for the token of another or a deleted set
   */
  getPage(id: string, options?: GetPageOptions): Promise<NotificationPage>;
  /** Deletes a set with all its notifications; does nothing if it does not exist. @throws NotifierError `malformed_set_id` */
  deleteSet(id: string): Promise<void>;
}

/** Selects a page. */
export interface GetPageOptions {
  /** From 1; 500 by default. A page never has more than 5000. */
  readonly pageSize?: number;
  /** `page.next` of the page before. */
  readonly next?: string;
}

const usualPageSize = 500;
const largestPageSize = 5_000;

/**
 * Creates the notification service on a store.
 * @example
 * declare const store: NotifierStore;
 * const service = createNotificationService(store);
 * const { notifications, page } = await service.getPage("5e4b387e-88d3-4364-86fd-063447a6fad2", { pageSize: 100 });
 */
export function createNotificationService(store: NotifierStore): NotificationService {
  return {
    async getPage(id, { pageSize = usualPageSize, next } = {}) {
      const setId = parseSetId(id);
      if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
        throw new NotifierError("malformed_page_size", `expected a page size of at least 1, found ${pageSize}`);
      }
      const size = Math.min(pageSize, largestPageSize);
      if (next === undefined) return readPage(store, setId, { size });
      const after = parsePageToken(next);
      if (await hasPlace(store, setId, after)) return readPage(store, setId, { size, after });
      const message = `expected the page.next of a page of set ${setId}, found that of another or of a deleted set`;
      throw new NotifierError("unknown_page_token", message);
    },
    async deleteSet(id) {
      await deleteSet(store.db, parseSetId(id));
    },
  };
}

/** Parses a UUID to its stored form. */
function parseSetId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new NotifierError("malformed_set_id", `expected the UUID of a notification set, found ${shown(text)}`);
}

function parsePageToken(text: string): PagePlace {
  const place = parsePagePlace(text);
  if (place !== undefined) return place;
  throw new NotifierError("malformed_page_token", `expected the page.next of another page, found ${shown(text)}`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
