/** Texts in another language: of the same names as the English ones, with the same parameters. */
export type Translated<English> = English extends string
  ? string
  : English extends (...given: infer Given) => infer Result
    ? (...given: Given) => Translated<Result>
    : { readonly [Name in keyof English]: Translated<English[Name]> };
