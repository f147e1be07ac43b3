import {
  ArrowLeft,
  Check,
  ChevronDown,
  CircleAlert,
  CircleCheck,
  CloudOff,
  FileText,
  FileUp,
  Info,
  Keyboard,
  Languages,
  LogOut,
  Menu,
  Moon,
  Package,
  Search,
  TriangleAlert,
  Undo2,
  Upload,
  X,
} from 'lucide'
import { h } from 'preact'

const ICONS = {
  back: ArrowLeft,
  check: Check,
  down: ChevronDown,
  failed: CircleAlert,
  done: CircleCheck,
  drop: FileUp,
  file: FileText,
  info: Info,
  keyboard: Keyboard,
  languages: Languages,
  menu: Menu,
  offline: CloudOff,
  out: LogOut,
  product: Package,
  search: Search,
  theme: Moon,
  undo: Undo2,
  upload: Upload,
  warn: TriangleAlert,
  x: X,
}
export type IconName = keyof typeof ICONS

/** The text beside the icon says what it means. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
    {ICONS[name].map(([tag, attributes]) => h(tag, attributes))}
  </svg>
)
