/** A call of an operation. A part that the operation does not have is undefined. */
export interface Call<Request extends string, Query, Body, Result> {
  /** The method, and the path below `/api/v1` with parameters in braces: `GET /user/apptoken/{token_uuid}`. */
  readonly request: Request;
  readonly query: Query;
  readonly body: Body;
  readonly result: Result;
}

/** The type of calls of an operation. It exists only at compile time. */
export interface Called<Each> {
  readonly call?: Each;
}
