import type { Provider } from './provider'

/** Without a mail service every message stays here: the recipients of a mailing show each as it would have been sent. */
export const outbox: Provider = {
  batchSize: 500,
  remembers: Number.POSITIVE_INFINITY,
  async send({ messages }) {
    return {
      kind: 'settled',
      outcomes: messages.map(({ position }) => ({ position, status: 'sent', providerId: null })),
    }
  },
}
