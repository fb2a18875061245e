import Board
import Monitoring

extension ReceiverDemand {
  /// The demand for fixes in the engine's type.
  public init(_ demand: FixDemand) {
    switch demand {
    case .none: self = .none
    case .every(let seconds): self = .every(seconds: seconds)
    case .continuous: self = .continuous
    }
  }
}
