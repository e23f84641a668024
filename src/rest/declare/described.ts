/**
 * Says in one clause what a field or a scope filter is: `when the account was closed; null while it is open`. The
 * clause of a filter goes on from "Only records": `whose user belongs to one of these campuses`.
 */
export const described = <T extends { readonly description?: string | undefined }>(
  description: string,
  declared: T,
): T => Object.freeze({ ...declared, description })
