import Quantities

extension BoardStatus {
  /// Ages from which a chip or compass is late and lost, seconds: as in the pipeline.
  private static let (lateSample, lostSample) = (1.5, 3.0)
  /// Of a slow chip, in its own intervals.
  private static let (lateIntervals, lostIntervals) = (2.5, 5.0)
  /// Ages from which a receiver is late and lost, seconds: as a fix in the pipeline.
  private static let (lateEpoch, lostEpoch) = (2.5, 10.0)

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
          age: age, late: max(Self.lateSample, Self.lateIntervals * interval),
          lost: max(Self.lostSample, Self.lostIntervals * interval))
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
        SourceState(age: age, late: Self.lateEpoch, lost: Self.lostEpoch)
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
      ? .lost : SourceState(age: age, late: Self.lateSample, lost: Self.lostSample)
    var health = DeviceHealth(kind: .compass, name: compass.name, bus: compass.port, state: state)
    (health.ageSeconds, health.samples) = (age, compass.headings)
    (health.errors, health.restarts) = (compass.rejected, compass.restarts)
    health.fault = compass.fault ?? compass.lack?.text
    return health
  }
}
