/** What went wrong with something that was tried, said aloud; nothing where nothing did. */
export const Fault = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="fault" role="alert">
      {text}
    </p>
  )
