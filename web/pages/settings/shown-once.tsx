// A secret that is shown this once.
interface Props {
  readonly name: string
  readonly secret: string
}

export function ShownOnce({ name, secret }: Props) {
  return (
    <output class="shown-once">
      <label>
        {name}: copy it now, it is not shown again
        <input readOnly value={secret} onFocus={(event) => event.currentTarget.select()} />
      </label>
    </output>
  )
}
