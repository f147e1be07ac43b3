import type { VersionTexts } from './en'

export const de: VersionTexts = {
  title: 'Versionen',
  list: 'Versionen des Produkts',
  detail: 'Version',
  found: (n) => (n === 1 ? '1 Version' : `${n.toLocaleString('de')} Versionen`),
  create: 'Neue Version',
  createVersion: 'Version anlegen',
  edit: 'Bearbeiten',
  editTitle: 'Version bearbeiten',
  save: 'Version speichern',
  remove: 'Entfernen',
  start: 'Beginnen',
  archive: 'Archivieren',
  takeBack: 'Veröffentlichung zurücknehmen',
  openRelease: 'Veröffentlichen…',
  release: 'Veröffentlichen',
  releaseAnyway: 'Mit offenen Elementen veröffentlichen',
  releaseTitle: (name) => `${name} veröffentlichen`,
  wasReleased: (name) => `${name} wurde veröffentlicht.`,
  openItems: 'Einige Einträge sind nicht erledigt',
  openItemsHint:
    'Die Version wurde nicht veröffentlicht, und niemand bekam eine E-Mail. Eine Veröffentlichung lässt die Einträge, wie sie sind.',
  mail: 'E-Mail an alle, die verknüpften Ideen folgen',
  notifies: {
    later: 'Später: bis die E-Mail abgeht, können Sie die Veröffentlichung zurücknehmen',
    now: 'Jetzt: die Veröffentlichung kann nicht zurückgenommen werden',
    none: 'Niemandem schreiben',
  },
  recipients: (n, isComplete) =>
    `${isComplete ? '' : 'Mindestens '}${n === 1 ? '1 Person bekommt' : `${n.toLocaleString('de')} Personen bekommen`} eine E-Mail`,
  followers: ({ followers, stopped, suppressed, ideas }) =>
    [
      `${followers === 1 ? '1 Person folgt' : `${followers.toLocaleString('de')} Personen folgen`} ${ideas === 1 ? '1 Idee' : `${ideas.toLocaleString('de')} Ideen`} der Einträge.`,
      stopped > 0 && `${stopped.toLocaleString('de')} möchten keine E-Mail über Veröffentlichungen.`,
      suppressed > 0 && `An die Adresse von ${suppressed.toLocaleString('de')} geht keine E-Mail.`,
    ]
      .filter(Boolean)
      .join(' '),
  draft: 'Einen Changelog-Eintrag entwerfen',
  backToList: 'Zurück zur Liste',
  listFailed: 'Die Versionen konnten nicht geladen werden',
  loadFailed: 'Die Version konnte nicht geladen werden',
  notSaved: 'Die Version wurde nicht geändert',
  notRemoved: 'Die Version wurde nicht entfernt',
  notReleased: 'Die Version wurde nicht veröffentlicht, und niemand hat eine E-Mail bekommen',
  wasRemoved: (key) => `${key} wurde entfernt.`,
  empty: 'Noch keine Versionen',
  emptyHint:
    'Eine Version enthält die Elemente, die Sie zusammen veröffentlichen. Legen Sie eine Version an, und ordnen Sie ihr im Backlog mit V Elemente zu.',
  emptyReadOnly: 'Die Mitglieder des Teams legen Versionen an.',
  none: 'Keine Version ist gewählt',
  noneHint: 'Wählen Sie eine Version aus der Liste.',
  fields: { name: 'Name', startDate: 'Beginn', releaseDate: 'Geplante Veröffentlichung' },
  statuses: { planned: 'Geplant', 'in-progress': 'In Arbeit', released: 'Veröffentlicht', archived: 'Archiviert' },
  startsAt: (date) => `Beginn ${date}`,
  plannedFor: (date) => `Geplant für ${date}`,
  releasedAt: (date) => `Veröffentlicht ${date}`,
  releaseMail: 'In den automatischen E-Mails sehen, wer angeschrieben wurde',
  noDates: 'Keine Termine',
  done: 'Erledigt',
  points: (done, total) => `${done} von ${total} Punkten`,
  items: (n) => (n === 1 ? '1 Element' : `${n.toLocaleString('de')} Elemente`),
  itemPoints: (n) => `${n} Punkte`,
  noItems:
    'Noch keine Elemente. Nehmen Sie hier Elemente auf, oder wählen Sie Elemente im Backlog und dann „Version“ oder V.',
  noItemsReadOnly: 'Noch keine Elemente.',
  openBacklog: 'Backlog öffnen',
  addItems: 'Elemente aufnehmen',
  addItemsTo: (name) => `Elemente in ${name} aufnehmen`,
  findItems: 'Wörter oder ein Schlüssel',
  foundItems: (shown, all) =>
    all === 0
      ? 'Kein anderes Element passt.'
      : shown < all
        ? `Die ersten ${shown} von ${all.toLocaleString('de')} Elementen. Mehr Wörter finden andere.`
        : all === 1
          ? '1 Element'
          : `${all} Elemente`,
  takeOut: (key) => `${key} aus der Version nehmen`,
  wasAdded: (key, name) => `${key} wurde in ${name} aufgenommen.`,
  wasTakenOut: (key, name) => `${key} wurde aus ${name} genommen.`,
  inBacklog: 'Die Elemente im Backlog zeigen',
  keys: {
    next: 'Nächste Version',
    previous: 'Vorige Version',
    open: 'Zur Version',
    close: 'Version schließen',
    create: 'Neue Version',
    edit: 'Version bearbeiten',
    release: 'Version veröffentlichen',
    remove: 'Version entfernen, mit Rückgängig',
  },
}
