import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { Bar } from '../../shell/bar'
import { BASE } from '../../state/place'
import { texts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { listAllowedKinds } from './access'
import { ColumnsStep } from './columns-step'
import { DryRunStep } from './dry-run-step'
import { FileStep } from './file-step'
import { Steps } from './steps'
import { type Step, useWizard } from './use-wizard'

const STEPS: readonly Step[] = ['file', 'columns', 'dryRun', 'import']

export default function ImportWizard({ me, main }: ScreenProps) {
  const wizard = useWizard()
  const { step, source, error, sent } = wizard
  const kinds = listAllowedKinds(me)
  return (
    <>
      <Bar title={texts.imports.start} crumb={{ path: '/imports', title: texts.imports.title }}>
        {source && <span class="sm muted truncate only-wide">{source.file.name}</span>}
        <a class="btn small ghost" href={`${BASE}/imports`}>
          {texts.cancel}
        </a>
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack loose">
          <Steps at={STEPS.indexOf(step)} />
          {error !== undefined && (
            <Failure title={step === 'dryRun' ? texts.imports.runFailed : texts.imports.readFailed} error={error} />
          )}
          {kinds.length === 0 && <Banner tone="gray" icon="info" title={texts.roles.readOnly} />}
          {kinds.length > 0 && step === 'file' && <FileStep wizard={wizard} kinds={kinds} />}
          {step === 'columns' && <ColumnsStep wizard={wizard} />}
          {step === 'dryRun' && <DryRunStep wizard={wizard} />}
          {step === 'import' && (
            <div class="stack" role="status">
              <p>{texts.imports.sending(sent)}</p>
              <progress max="100" value={sent} aria-label={texts.imports.progress} />
            </div>
          )}
        </div>
      </main>
    </>
  )
}
