import type { MailTexts } from './en'

export const de: MailTexts = {
  hint: 'Der Dienst schreibt Personen über Änderungen ihrer Ideen. Ein leeres Feld behält den Text des Dienstes.',
  readerHint: 'Inhaber und Admins ändern die Texte der E-Mails.',
  loadFailed: 'Die Texte konnten nicht geladen werden',
  saveFailed: 'Die Texte wurden nicht geändert',
  saved: 'Die Texte wurden geändert.',
  save: 'Texte speichern',
  kind: 'E-Mail über',
  kinds: {
    greeting: 'Anrede jeder E-Mail',
    status: 'Ein neuer Status einer Idee',
    release: 'Eine veröffentlichte Version',
    reply: 'Eine Antwort des Teams',
    changelog: 'Ein veröffentlichter Changelog-Eintrag',
    mention: 'Eine Erwähnung in einem Kommentar',
    assignment: 'Ein zugewiesenes Arbeitselement',
    idea: 'Zeilen unter den Neuigkeiten über eine Idee',
    digest: 'Mehrere Neuigkeiten in einer E-Mail',
  },
  fields: { named: 'Für Personen mit Vornamen', unnamed: 'Für alle anderen', subject: 'Betreff', text: 'Text' },
  variables:
    'Variablen wie {{title}} und {{url}} stehen für die Werte einer E-Mail. Der Dienst nennt die Variablen eines Textes, wenn Sie eine andere benutzen.',
  preview: 'Vorschau',
  previewFailed: 'Die Vorschau konnte nicht erstellt werden',
  ofService: 'Text des Dienstes',
}
