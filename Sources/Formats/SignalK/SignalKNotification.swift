import ReceiverProtocols

/// A notification of the Signal K data model.
/// - Source: Signal K specification 1.7.0, "Notifications" and `groups/notifications.json`.
struct SignalKNotification: Equatable {
  /// The severity, and how it is brought to the crew's attention.
  enum State: String {
    case normal, alert, warn, alarm

    var methods: [String] {
      switch self {
      case .normal: []
      case .alert, .warn: ["visual"]
      case .alarm: ["visual", "sound"]
      }
    }
  }

  let state: State
  let message: String

  private init(_ state: State, _ message: String) { (self.state, self.message) = (state, message) }

  /// The value at the notification's path.
  var node: SignalKNode {
    var node = SignalKNode.empty
    node.set(["state"], .text(state.rawValue))
    node.set(["method"], .texts(state.methods))
    node.set(["message"], .text(message))
    return node
  }

  /// The notification of a fix or its loss; nil before the receiver has sent anything. It contains
  /// no counts, so that a change of them does not send it again.
  init?(fixOf condition: ReceiverCondition) {
    if var loss = condition.fixLoss {
      loss.satellites = nil
      let state: State = loss.hadFix ? .alarm : .alert
      self.init(state, (loss.hadFix ? "Position lost: " : "No position yet: ") + loss.reason)
    } else if condition.hasFix == true {
      self.init(.normal, "The receiver has a fix")
    } else {
      return nil
    }
  }

  init(_ antenna: SignalState.Antenna) {
    switch antenna {
    case .good: self.init(.normal, "The antenna is connected")
    case .open: self.init(.warn, "The antenna is not connected")
    case .short: self.init(.warn, "The antenna is short-circuited")
    }
  }

  init(_ interference: SignalState.Interference) {
    switch interference {
    case .none: self.init(.normal, "No interference")
    case .warning: self.init(.warn, "Interference; there is a fix nevertheless")
    case .critical: self.init(.alarm, "Interference prevents a fix")
    }
  }

  init(_ spoofing: SignalState.Spoofing) {
    switch spoofing {
    case .none: self.init(.normal, "No spoofing")
    case .indicated: self.init(.alarm, "Spoofing indicated: do not rely on the position")
    case .multiple:
      self.init(.alarm, "Spoofing indicated several times: do not rely on the position")
    }
  }
}
