import Quantities
import Recording
import Simulation

/// The simulated board's samples as instants. They never end unless the scenario does.
public struct SimulatedRows: RowSource {
  private var world: SimulatedWorld

  /// Makes the rows of a world at its start.
  public init(world: SimulatedWorld) { self.world = world }

  /// The next instant; it never fails.
  public mutating func next() throws(RecordingError) -> SensorRow? {
    guard let sample = world.next() else { return nil }
    var row = SensorRow(timestamp: sample.timestamp)
    switch sample {
    case .inertial(let sample): row.inertial = sample
    case .field(let sample): row.field = sample
    case .pressure(let sample): row.pressure = sample
    case .fix(let fix): row.fix = fix
    }
    return row
  }
}
