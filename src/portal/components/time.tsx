export const Time = ({ moment, children }: { moment: string; children: string }) => (
  <time datetime={moment}>{children}</time>
)
