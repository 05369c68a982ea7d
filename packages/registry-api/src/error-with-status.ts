import { RegistryError } from "@plimsoll/registry/errors";

/** An error that is answered with another status than that of its code, as a profile of another registry wants it. */
export class ErrorWithStatus extends RegistryError {
  readonly status: number;

  constructor(error: RegistryError, { message, status }: { readonly message: string; readonly status: number }) {
    super(error.code, message, { cause: error, details: error.details });
    this.status = status;
  }
}
