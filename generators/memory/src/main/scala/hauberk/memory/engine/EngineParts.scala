package hauberk.memory.engine

import hauberk.memory.mode.KeystreamGenerator
import hauberk.memory.counter.CounterStore
import hauberk.memory.integrity.Verifier

/** Hardware of a scheme's policies, as the composition root builds it. Each call builds one instance. */
trait EngineParts {
  def keystreamGenerator(): KeystreamGenerator
  def counterStore(): CounterStore
  def verifier(): Verifier
}
