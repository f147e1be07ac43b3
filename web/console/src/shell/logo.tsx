export const Logo = () => (
  <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M2 12h12M4 8h8M6 4h4" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" />
  </svg>
)
