internal import Engine

extension LocationServices {
  /// Who is served, or what they need, has changed: the receiver rests as far as everybody lets it.
  func demandHasChanged() {
    queue.async { [self] in
      let users = shared.withLock { $0.users }
      let demand = users.reduce(ReceiverDemand.none) {
        $1.isActive ? ReceiverDemand.most($0, $1.receiverDemand) : $0
      }
      guard let publisher, !users.isEmpty, demand != lastDemand else { return }
      lastDemand = demand
      publisher.setReceiverDemand(demand)
    }
  }
}

extension LocationDelivery {
  /// How much of the receiver the desired accuracy needs: coarser than a hundred metres it may rest, for as
  /// long as a car takes to leave the circle at 60 km/h.
  var receiverDemand: ReceiverDemand {
    guard isActive else { return .none }
    // A request waits for the first good fix.
    guard isUpdating else { return .continuous }
    return switch desiredAccuracy {
    case ..<kCLLocationAccuracyKilometer: .continuous
    case ..<kCLLocationAccuracyThreeKilometers: .every(seconds: 60)
    case ..<kCLLocationAccuracyReduced: .every(seconds: 180)
    default: .every(seconds: 900)
    }
  }
}
