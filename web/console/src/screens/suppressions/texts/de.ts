import type { SuppressionTexts } from './en'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const de: SuppressionTexts = {
  title: 'Sperrliste',
  intro:
    'Diese Adressen erhalten keine Mails eines Segments oder gar keine Mails. Tests und Anmeldecodes kommen immer an. Eine Sperre bleibt, wenn die Person entfernt wird.',
  noRole: 'Ihre Rolle kann die Sperrliste nicht sehen. Mitglieder, Admins und Inhaber können es.',
  add: 'Adresse sperren',
  search: 'Adresse',
  searchHint: 'Die ganze Adresse',
  find: 'Suchen',
  reasonFilter: 'Grund',
  allReasons: 'Alle Gründe',
  clear: 'Filter aufheben',
  found: (n, hasMore) => (hasMore ? `Die ersten ${n}` : count(n, 'Sperre', 'Sperren')),
  listFailed: 'Die Sperrliste konnte nicht geladen werden',
  empty: 'Noch keine Sperren',
  emptyHint: 'Abmeldungen, unzustellbare Adressen und Beschwerden erscheinen hier von selbst.',
  noMatch: 'Keine Sperre passt zu diesen Filtern.',
  noMatchHint: 'Die Suche braucht die ganze Adresse, etwa ada@example.com.',
  address: 'Adresse',
  stops: 'Sperrt',
  reason: 'Grund',
  source: 'Quelle',
  since: 'Seit',
  actions: 'Aktionen',
  allMail: 'Alle Mails',
  mailOf: (segment) => `Mails an ${segment}`,
  removedSegment: 'ein entferntes Segment',
  reasons: {
    unsubscribe: 'Abgemeldet',
    hard_bounce: 'Unzustellbar',
    complaint: 'Beschwert',
    manual: 'Von Hand gesperrt',
  },
  sources: {
    unsubscribe: 'Der Link in einer Mail',
    hard_bounce: 'Ihr Mailanbieter: Das Postfach gibt es nicht',
    complaint: 'Ihr Mailanbieter: als Spam gemeldet',
    manual: 'Ihr Team oder ein API-Schlüssel',
  },
  remove: (email) => `Mails an ${email} erlauben`,
  removeShort: 'Mails erlauben',
  removeTitle: (email) => `Mails an ${email} wieder erlauben?`,
  removeMeans: (scope) =>
    `Die Adresse erhält die nächste Mail wieder. Gesperrt sind bisher: ${scope}. Die Sperre lässt sich nicht wiederherstellen, nur von Hand neu anlegen.`,
  removeWarnings: {
    unsubscribe: 'Die Person hat sich abgemeldet. Schreiben Sie nur wieder, wenn sie Sie darum gebeten hat.',
    hard_bounce:
      'Das Postfach gab es nicht. Fehlt es immer noch, kommt die Mail zurück. Nach zu vielen Rückläufern lehnen Anbieter Ihre Mails ab.',
    complaint:
      'Die Person hat Ihre Mail als Spam gemeldet. Nach einer weiteren Beschwerde können Anbieter Ihre Mails ablehnen. Fragen Sie die Person zuerst.',
    manual: 'Jemand aus Ihrem Team hat die Mails gesperrt. Klären Sie zuerst, warum.',
  },
  removeAction: 'Mails wieder erlauben',
  notRemoved: 'Die Sperre wurde nicht aufgehoben. Die Adresse erhält weiterhin keine Mails',
  wasRemoved: (email) => `${email} darf wieder Mails erhalten.`,
  email: 'Adresse',
  scope: 'Was gesperrt wird',
  scopeHint: 'Die Adresse muss keinem Mitglied gehören.',
  addMeansAll: 'Keine Mailings, Einladungen und Neuigkeiten dieses Arbeitsbereichs gehen mehr an die Adresse.',
  addMeansSegment: (segment) => `Mailings an ${segment} lassen die Adresse aus. Andere Mails kommen weiterhin an.`,
  addAction: 'Mails sperren',
  notAdded: 'Die Sperre wurde nicht gespeichert. Die Adresse erhält weiterhin Mails',
  wasAdded: (email) => `${email} erhält diese Mails nicht mehr.`,
}
