/** A string (or number) that only its own parser can make. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name }
