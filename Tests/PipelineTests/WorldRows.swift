import Board
import Formats
import Quantities
import Simulation

/// A simulated world's samples as rows, without emulated chips.
struct WorldRows: SampleSource {
  private var world: SimulatedWorld

  init(world: SimulatedWorld) { self.world = world }

  mutating func next() throws(RecordingError) -> SensorSamples? {
    world.next()?.row
  }
}
