import Engine
import Formats
import Quantities
import Simulation

/// A simulated world's samples as rows, without emulated chips.
struct WorldRows: SampleSource {
  private var world: SimulatedWorld

  init(world: SimulatedWorld) { self.world = world }

  mutating func next() throws(RecordingError) -> SensorSamples? {
    guard let sample = world.next() else { return nil }
    var row = SensorSamples(timestamp: sample.timestamp)
    switch sample {
    case .inertial(let sample): row.inertial = sample
    case .field(let sample): row.field = sample
    case .pressure(let sample): row.pressure = sample
    case .fix(let fix): row.fix = fix
    }
    return row
  }
}
