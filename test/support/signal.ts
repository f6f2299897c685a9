/** Something may have changed: whoever waits looks again. */
export class Signal {
  #isRaised = false
  #wake: () => void = () => {}

  raise(): void {
    this.#isRaised = true
    this.#wake()
  }

  /** Resolves at once, if it was raised since the last wait; for one waiter. */
  async wait(): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#isRaised = false
    this.#wake = () => {}
  }
}
