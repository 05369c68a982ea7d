/** The codes of invalid requests to the notifier. */
export type NotifierErrorCode =
  | "malformed_page_size"
  | "malformed_page_token"
  | "malformed_set_id"
  | "unknown_page_token";

/**
 * An invalid request to the notifier. The message says what was expected and what was found.
 * @example
 * declare const service: NotificationService;
 * try {
 *   await service.getPage("set-1");
 * } catch (error) {
 *   if (error instanceof NotifierError) console.error(error.code); // malformed_set_id
 * }
 */
export class NotifierError extends Error {
  override readonly name = "NotifierError";
  readonly code: NotifierErrorCode;

  constructor(code: NotifierErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
