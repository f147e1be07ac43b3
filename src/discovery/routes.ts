import * as documents from './docs-hub/documents/operations'
import * as templates from './docs-hub/templates/operations'
import * as experiments from './experiments/operations'
import * as kpis from './kpis/operations'
import * as kpiRecords from './kpis/records/operations'
import * as kpiTrend from './kpis/trend/operations'
import * as customFields from './persona-board/custom-fields/operations'
import * as boardSegments from './persona-board/segments/operations'
import * as documentation from './personas/documentation/operations'
import * as personas from './personas/operations'
import * as opportunities from './personas/opportunities/operations'
import * as summaries from './personas/summaries/operations'
import * as trace from './trace/operations'

export const discovery = [
  kpis.createKpi,
  kpis.listKpis,
  kpis.exportKpis,
  kpis.getKpi,
  kpis.modifyKpi,
  kpis.removeKpi,
  kpis.restoreKpi,
  kpiRecords.insertKpiRecords,
  kpiRecords.listKpiRecords,
  kpiRecords.exportKpiRecords,
  kpiRecords.removeKpiRecord,
  kpiTrend.getKpiTrend,

  personas.createPersona,
  personas.listPersonas,
  personas.exportPersonas,
  personas.getPersona,
  personas.modifyPersona,
  personas.upsertPersona,
  personas.removePersona,
  personas.restorePersona,
  summaries.createSummary,
  summaries.listSummaries,
  summaries.getSummary,
  summaries.modifySummary,
  summaries.removeSummary,
  summaries.restoreSummary,
  opportunities.createOpportunity,
  opportunities.listOpportunities,
  opportunities.getOpportunity,
  opportunities.modifyOpportunity,
  opportunities.removeOpportunity,
  opportunities.restoreOpportunity,
  documentation.getDocumentation,
  documentation.modifyDocumentation,

  experiments.createExperiment,
  experiments.listExperiments,
  experiments.exportExperiments,
  experiments.getExperiment,
  experiments.modifyExperiment,
  experiments.removeExperiment,
  experiments.restoreExperiment,
  experiments.startExperiment,
  experiments.stopExperiment,
  experiments.listPersonaExperiments,

  boardSegments.createBoardSegment,
  boardSegments.listBoardSegments,
  boardSegments.getBoardSegment,
  boardSegments.modifyBoardSegment,
  boardSegments.removeBoardSegment,
  boardSegments.restoreBoardSegment,

  customFields.createCustomField,
  customFields.listCustomFields,
  customFields.getCustomField,
  customFields.modifyCustomField,
  customFields.removeCustomField,
  customFields.restoreCustomField,
  customFields.purgeCustomField,
  customFields.createCustomFieldOption,
  customFields.modifyCustomFieldOption,
  customFields.removeCustomFieldOption,
  customFields.attachCustomField,
  customFields.detachCustomField,

  templates.createTemplate,
  templates.listTemplates,
  templates.getTemplate,
  templates.modifyTemplate,
  templates.removeTemplate,
  templates.restoreTemplate,
  documents.instantiateTemplate,
  documents.createDocument,
  documents.listDocuments,
  documents.exportDocuments,
  documents.getDocument,
  documents.modifyDocument,
  documents.removeDocument,
  documents.restoreDocument,

  trace.getTrace,
] as const
