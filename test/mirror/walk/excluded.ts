/** Operations that the walk leaves out, with the reason. */
export const EXCLUDED: Record<string, string> = {
  eraseWorkspace: 'schedules the end of the workspace',
  restoreWorkspace: 'needs a scheduled erasure',
  restoreExport: 'needs an empty workspace',
  cancelImport: 'needs an import that is still running; imports of a few rows end within their request',
}
