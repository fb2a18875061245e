import Quantities

extension BoardStatus {
  /// Of a slow chip, in its own intervals.
  private static let (lateIntervals, lostIntervals) = (2.5, 5.0)

  /// The health of each device: chips, receivers, then compasses, in the board file's order.
  package var health: [DeviceHealth] {
    chips.map { health(of: $0) } + receivers.map { health(of: $0) }
      + compasses.map { health(of: $0) }
  }

  private func age(of newest: Timestamp?) -> Double? {
    newest.flatMap { newest in instant.map { max(0, $0.seconds(since: newest)) } }
  }

  private func health(of chip: Chip) -> DeviceHealth {
    let age = age(of: chip.newest)
    let interval = chip.rateHertz.map { $0 > 0 ? 1 / $0 : 0 } ?? 0
    let state: SourceState =
      if chip.fault != nil {
        chip.isContradicted ? .contradicted : .lost
      } else {
        SourceState(
          age: age, late: max(SourceState.Age.lateField, Self.lateIntervals * interval),
          lost: max(SourceState.Age.lostField, Self.lostIntervals * interval))
      }
    var health = DeviceHealth(kind: .chip, name: chip.name, bus: chip.bus, state: state)
    (health.ageSeconds, health.samples) = (age, chip.samples)
    (health.errors, health.restarts, health.fault) = (chip.errors, chip.restarts, chip.fault)
    return health
  }

  private func health(of receiver: Receiver) -> DeviceHealth {
    let age = age(of: receiver.newest)
    let contradiction = ([receiver.position].compactMap { $0 } + receiver.sources).faults.first
    let state: SourceState? =
      if receiver.fault != nil || receiver.lack != nil {
        .lost
      } else if receiver.isResting {
        nil
      } else if contradiction != nil {
        .contradicted
      } else {
        SourceState(
          age: age, late: receiver.arrivals.longestAge(atLeast: SourceState.Age.lateFix),
          lost: receiver.arrivals.longestAge(atLeast: SourceState.Age.lostFix))
      }
    var health = DeviceHealth(
      kind: .receiver, name: receiver.name, bus: receiver.port, state: state)
    (health.ageSeconds, health.samples) = (age, receiver.epochs)
    (health.errors, health.restarts) = (receiver.rejected, receiver.restarts)
    health.fault = receiver.fault ?? receiver.lack?.text ?? contradiction
    return health
  }

  private func health(of compass: Compass) -> DeviceHealth {
    let age = age(of: compass.newest)
    let state: SourceState =
      compass.fault != nil || compass.lack != nil
      ? .lost
      : SourceState(age: age, late: SourceState.Age.lateField, lost: SourceState.Age.lostField)
    var health = DeviceHealth(kind: .compass, name: compass.name, bus: compass.port, state: state)
    (health.ageSeconds, health.samples) = (age, compass.headings)
    (health.errors, health.restarts) = (compass.rejected, compass.restarts)
    health.fault = compass.fault ?? compass.lack?.text
    return health
  }
}
