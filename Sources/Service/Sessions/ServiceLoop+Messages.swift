import Engine
import Foundation
import Monitoring
import Policy
import ServiceProtocol

/// What clients say.
extension ServiceLoop {
  func hear(_ line: [UInt8], from number: Int) {
    let message: ClientMessage
    do throws(ServiceFault) {
      message = try ClientMessage(line: line)
    } catch {
      return refuse(number, error)
    }
    guard let session = sessions[number] else { return }
    if case .hello(let hello) = message {
      guard session.hello == nil else {
        return refuse(number, ServiceFault(.order, "a second 'hello'"))
      }
      return greet(hello, number)
    }
    guard let key = session.key else {
      return refuse(number, ServiceFault(.order, "a message before 'hello'"))
    }
    switch message {
    case .hello, .unknown: break
    case .demand(let demand):
      sessions[number]?.demand = demand
      if demand.isEmpty { sessions[number]?.output.dropEstimates() }
      updateDemand()
    case .samples(let isOn):
      sessions[number]?.wantsSamples = isOn
      if !isOn { sessions[number]?.output.dropSamples() }
      updateSamples()
    case .lease(let isOn): sessions[number]?.hasLease = isOn
    case .listen(let isOn): listen(isOn, number, key, session.peer)
    case .monitor(let id, let command):
      sessions[number]?.requests += 1
      context.desks.perform(command, of: key, session: number, peer: session.peer) { [self] fault in
        post { $0.answer(.done(id: id, fault), to: number) }
      }
    case .registrations(let id):
      sessions[number]?.requests += 1
      context.desks.registrations(of: key) { [self] registrations in
        post { $0.answer(.registrations(id: id, registrations), to: number) }
      }
    case .authorize(let wanted):
      sessions[number]?.requests += 1
      context.orders.async { [self] in
        let access = context.access.request(wanted, of: key, groups: session.peer.allGroups)
        context.desks.accessChanged()
        post {
          $0.sessions[number]?.requests -= 1
          $0.accessChanged(of: key, to: access)
        }
      }
    case .fullAccuracy(let id, let purpose):
      say(.done(id: id, refusal(ofFullAccuracy: purpose, session, key)), to: number)
    case .calibrate(let id, let order): calibrate(order, id, number)
    }
  }

  private func greet(_ hello: ClientHello, _ number: Int) {
    guard let version = ServiceProtocolVersion.common(with: hello.version) else {
      return refuse(
        number,
        ServiceFault(
          .version,
          "the client speaks version \(hello.version), the daemon \(ServiceProtocolVersion.oldest) to "
            + "\(ServiceProtocolVersion.current)"))
    }
    guard Policy.isApplicationID(hello.application) else {
      return refuse(
        number,
        ServiceFault(
          .application,
          "'\(hello.application.prefix(80))' cannot name an application: letters, digits, '.', '-' and '_', a letter "
            + "or digit first"))
    }
    guard let session = sessions[number] else { return }
    let key = ApplicationKey(uid: session.peer.uid, id: hello.application)
    let access = context.access.access(of: key, groups: session.peer.allGroups)
    sessions[number]?.hello = hello
    sessions[number]?.key = key
    sessions[number]?.access = access
    context.desks.connect(key, session: number, peer: session.peer) { [weak self] journal in
      self?.post { $0.say(.journal(journal), to: number) }
    }
    context.log.info("\(sessions[number]?.name ?? "a client") is connected")
    let fix = newestFix.flatMap { fix in
      access.authorization.isGranted
        ? access.accuracy == .full
          ? fix : context.places.current(fix, for: key)
        : nil
    }
    say(
      .welcome(
        DaemonWelcome(
          version: version, pid: getpid(), source: context.supervisor.source, access: access,
          calibration: context.supervisor.calibrator.map { CalibrationReport($0) }, lastFix: fix)),
      to: number)
  }

  /// Answers a request that was on its way.
  private func answer(_ message: DaemonMessage, to number: Int) {
    sessions[number]?.requests -= 1
    say(message, to: number)
  }

  private func listen(
    _ isOn: Bool, _ number: Int, _ key: ApplicationKey, _ peer: UnixSocket.Peer
  ) {
    sessions[number]?.requests += 1
    let tell: @Sendable (MonitoringEvent) -> Void = { [weak self] event in
      self?.post { $0.say(.event(event), to: number) }
    }
    context.desks.listen(key, session: number, peer: peer, to: isOn ? tell : nil) { [weak self] in
      self?.post { $0.sessions[number]?.requests -= 1 }
    }
  }

  // MARK: Access

  private func refusal(
    ofFullAccuracy purpose: String, _ session: ClientSession, _ key: ApplicationKey
  ) -> ServiceFault? {
    guard session.access.accuracy == .reduced else {
      return ServiceFault(.declined, "the application has full accuracy already")
    }
    guard session.access.authorization.isGranted, context.access.grants(purpose, to: key) else {
      return ServiceFault(.declined, "the policy does not grant the purpose '\(purpose)'")
    }
    // For as long as this connection: the next one begins reduced again.
    var access = session.access
    access.accuracy = .full
    change(session.number, to: access)
    return nil
  }

  private func accessChanged(of key: ApplicationKey, to access: ServedAccess) {
    for session in sessions.values where session.key == key { change(session.number, to: access) }
  }

  private func change(_ number: Int, to access: ServedAccess) {
    guard let session = sessions[number], session.access != access else { return }
    sessions[number]?.access = access
    if !access.authorization.isGranted || access.accuracy != session.access.accuracy {
      sessions[number]?.output.dropEstimates()
    }
    if !access.authorization.isGranted { sessions[number]?.output.dropSamples() }
    say(.access(access), to: number)
    updateDemand()
    updateSamples()
  }

  /// The policy was read again.
  func policyChanged() {
    for session in sessions.values {
      guard let key = session.key else { continue }
      change(session.number, to: context.access.access(of: key, groups: session.peer.allGroups))
    }
  }

  // MARK: The board

  /// Another source stands behind the estimates, or none.
  func sourceChanged(_ source: ServedSource) {
    for session in sessions.values where session.key != nil {
      say(.source(source), to: session.number)
    }
  }

  /// Something that people are to be told.
  func notice(_ text: String) {
    for session in sessions.values where session.key != nil {
      say(.notice(text), to: session.number)
    }
  }

  /// The calibration stands otherwise.
  func calibrationChanged() {
    guard let calibrator = context.supervisor.calibrator else { return }
    let report = CalibrationReport(calibrator)
    for session in sessions.values where session.key != nil {
      say(.calibration(report), to: session.number)
    }
  }

  private func calibrate(_ order: CalibrationOrder, _ id: UInt64, _ number: Int) {
    guard sessions[number]?.access.authorization.isGranted == true else {
      return say(
        .done(id: id, ServiceFault(.access, "the application may not calibrate")), to: number)
    }
    sessions[number]?.requests += 1
    switch order {
    case .begin: sessions[number]?.hasBegunCalibration = true
    case .cancel: sessions[number]?.hasBegunCalibration = false
    case .reset, .use: break
    }
    // On a thread of its own: keeping one takes as long as the disk does.
    context.orders.async { [self] in
      let fault = context.supervisor.calibrator.map { $0.carry(out: order) }
      let answer =
        fault
        ?? ServiceFault(
          .noSensor, "there is no magnetometer to calibrate: \(context.supervisor.status)")
      post { $0.answer(.done(id: id, answer), to: number) }
    }
  }
}

extension CalibrationReport {
  init(_ calibrator: any FieldCalibrator) {
    self.init()
    if case .collecting(let progress) = calibrator.standing { self.progress = progress }
    inUse = calibrator.inUse.map {
      CodedCalibration($0.calibration, residualMicrotesla: $0.residualMicrotesla)
    }
  }
}

extension FieldCalibrator {
  /// Does what a client asks.
  /// - Returns: Why it was not done; nil where it was.
  fileprivate func carry(out order: CalibrationOrder) -> ServiceFault? {
    switch order {
    case .begin: begin()
    case .cancel: cancel()
    case .reset: reset()
    case .use(let coded):
      guard let calibration = coded.calibration else {
        return ServiceFault(.unusable, "the calibration has not three rows, or an unknown quality")
      }
      do throws(CalibrationFault) {
        try use(
          CalibrationInUse(calibration, residualMicrotesla: coded.residualMicrotesla))
      } catch {
        switch error {
        case .unusable: return ServiceFault(.unusable, "\(error)")
        case .notKept: return ServiceFault(.notKept, "\(error)")
        }
      }
    }
    return nil
  }
}
