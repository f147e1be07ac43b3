export const DIGEST_CHOICES = ['off', 'daily', 'weekly'] as const
export type DigestChoice = (typeof DIGEST_CHOICES)[number]
