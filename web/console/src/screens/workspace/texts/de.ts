import type { WorkspaceTexts } from './en'

export const de: WorkspaceTexts = {
  about: 'Arbeitsbereich',
  name: 'Name',
  number: 'Nummer',
  usage: 'Verbrauch und Grenzen',
  usageHint: 'Der Betreiber dieses Dienstes setzt die Grenzen.',
  usageFailed: 'Der Verbrauch konnte nicht geladen werden',
  readAgain: 'Verbrauch neu lesen',
  used: (used, limit) => `${used} von ${limit}`,
  percent: (percent) => `${percent} verbraucht`,
  noLimit: 'Keine Grenze',
  full: 'Die Grenze ist erreicht.',
  resets: (moment) => `Beginnt neu am ${moment}.`,
  limits: {
    rowsPerDay: {
      title: 'Heute geschriebene Zeilen',
      beyond:
        'An der Grenze lehnt der Dienst bis zum nächsten Tag (UTC) jede Änderung ab. Lesen, Schlüssel widerrufen und Mailings und Importe abbrechen geht weiter.',
    },
    bytes: {
      title: 'Gespeicherte Daten',
      beyond:
        'An der Grenze lehnt der Dienst Anlegen, Importieren und Hochladen ab. Ändern und Entfernen geht weiter, damit Sie Platz schaffen können.',
    },
    mailingsPerHour: {
      title: 'Mailings in dieser Stunde',
      beyond: 'An der Grenze lehnt der Dienst ein weiteres Mailing ab, bis das älteste eine Stunde her ist.',
    },
  },
  perMinute: 'Anfragen pro Minute',
  perMinuteHint:
    'Die meisten Anfragen brauchen eine Einheit, eine Suche oder ein Upload fünf, eine Sammeländerung zehn und ein Export fünfzig. Über einer Grenze bittet der Dienst das Programm zu warten; die Konsole tut das von selbst.',
  limit: 'Grenze',
  perMinuteLimits: {
    unitsPerMinute: 'Einheiten dieser Sitzung und jedes API-Schlüssels',
    workspaceUnitsPerMinute: 'Einheiten des ganzen Arbeitsbereichs',
    bulkOperationsPerMinute: 'Sammeländerungen und Importe dieser Sitzung und jedes API-Schlüssels',
  },
  settings: 'Links und Browser',
  settingsFailed: 'Die Einstellungen konnten nicht geladen werden',
  readerHint: 'Inhaber und Admins ändern die Einstellungen des Arbeitsbereichs.',
  ideaUrl: 'Adresse einer Idee in E-Mails',
  ideaUrlHint: 'Mit {key} oder {slug}, etwa https://example.com/ideen/{key}. Ohne Adresse führen E-Mails zum Portal.',
  cors: 'Seiten, die den Dienst aus einem Browser aufrufen können',
  corsHint: 'Ein Ursprung pro Zeile, etwa https://app.example.com. Ohne Ursprung können es nur Server.',
  save: 'Einstellungen speichern',
  saved: 'Die Einstellungen wurden geändert.',
  saveFailed: 'Die Einstellungen wurden nicht geändert',
  fields: {
    feedback: 'Moderation',
    cors: 'Seiten',
    ideaUrl: 'Adresse einer Idee',
    mailTemplates: 'Texte der E-Mails',
  },
}
