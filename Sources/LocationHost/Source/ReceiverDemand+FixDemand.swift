import Engine
import Monitoring

extension ReceiverDemand {
  /// What monitoring needs, as the engine takes it.
  public init(_ demand: FixDemand) {
    switch demand {
    case .none: self = .none
    case .every(let seconds): self = .every(seconds: seconds)
    case .continuous: self = .continuous
    }
  }
}
