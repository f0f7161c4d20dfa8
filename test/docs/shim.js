// Stands in for a program that a page names: hands arguments, standard input and environment to the test, and ends as it says.
const [name, ...args] = process.argv.slice(2)
const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const body = JSON.stringify({
  name,
  args,
  input: Buffer.concat(chunks).toString(),
  cwd: process.cwd(),
  env: process.env,
})
const answer = await fetch(process.env.SHIM_URL, { method: 'POST', body })
const { code, out, err } = await answer.json()
process.stdout.write(out)
process.stderr.write(err)
process.exitCode = code
