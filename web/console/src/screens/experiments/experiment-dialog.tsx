import { FormDialog } from '../../parts/form-dialog'
import { sendNewExperiment } from './requests'
import { texts } from './texts/texts'

interface ExperimentDialogProps {
  product: string
  onCreate: (key: string) => void
  onClose: () => void
}

export const ExperimentDialog = ({ product, onCreate, onClose }: ExperimentDialogProps) => (
  <FormDialog
    title={texts.create}
    action={texts.createExperiment}
    failed={texts.notCreated}
    onClose={onClose}
    onSubmit={async (form) => {
      const hypothesis = String(form.get('hypothesis')).trim()
      const fields = { title: String(form.get('title')).trim(), ...(hypothesis && { hypothesis }) }
      onCreate(await sendNewExperiment(product, fields))
    }}
  >
    <label class="field">
      <span class="label">{texts.fields.title}</span>
      <input class="input" name="title" required pattern=".*\S.*" maxLength={500} autofocus />
    </label>
    <div class="field">
      <label for="new-hypothesis">{texts.fields.hypothesis}</label>
      <textarea
        class="textarea"
        id="new-hypothesis"
        name="hypothesis"
        rows={3}
        maxLength={10_000}
        aria-describedby="new-hypothesis-hint"
      />
      <p class="hint" id="new-hypothesis-hint">
        {texts.hypothesisHint}
      </p>
    </div>
  </FormDialog>
)
