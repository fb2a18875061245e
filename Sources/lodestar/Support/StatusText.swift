import Board
import FoundationEssentials
import LinuxIO
import Quantities
import ReceiverProtocols

/// The counts of the last second.
struct StatusCounts {
  /// The samples of each chip.
  var samples: [Int]
  /// The receiver's epochs.
  var epochs: Int

  /// The difference of two states; `earlier` is nil at the start.
  init(_ now: BoardStatus, since earlier: BoardStatus?) {
    let before = earlier?.chips.map(\.samples) ?? []
    samples = now.chips.enumerated().map { $1.samples - ($0 < before.count ? before[$0] : 0) }
    epochs = now.receiverEpochs - (earlier?.receiverEpochs ?? 0)
  }
}

/// The state of an attached board as one line of text.
enum StatusText {
  static func line(_ status: BoardStatus, _ counts: StatusCounts) -> String {
    var words = zip(status.chips, counts.samples).map { chip, count in
      let state = [chip.shortFault ?? "\(count)/s", chip.unsteadiness?.text].compactMap { $0 }
      return "\(chip.name) \(state.joined(separator: ", "))"
    }
    for (_, fault) in status.dataReadyFaults.sorted(by: { $0.key < $1.key }) {
      words.append("data-ready lines lost: \(fault)")
    }
    if let port = status.receiverPort {
      if let fault = status.receiverFault {
        words.append("receiver lost: \(fault)")
      } else if let lack = status.receiverLack {
        words.append("receiver \(lack.short): \(lack.text)")
      } else {
        let total = status.receiverEpochs == 0 ? "no epoch yet" : "\(counts.epochs)/s"
        let kind = status.fixKind.map { ", \($0 == .none ? "no fix" : $0.rawValue)" }
        let age = status.correctionAgeSeconds.map {
          " with corrections of \(String($0, decimals: 1)) s ago"
        }
        words.append("receiver at \(port) \(total)\(kind ?? "")\(age ?? "")")
      }
      if let loss = status.fixLoss, status.receiverFault == nil, loss.cause != .silent,
        loss.cause != .unreadable
      {
        words.append("no fix: \(loss.text)")
      }
      if let text = status.assistance { words.append(text) }
      if let first = status.firstFix { words.append(first.text) }
      words += status.receiverSignals.troubles
      if let quality = status.receiverSignals.quality?.text { words.append(quality) }
      if let figures = status.receiverUnsteadiness { words.append("receiver \(figures.text)") }
      words += Self.others(status) + status.comparison
      if status.receiverUndecoded.count > 0 {
        words.append("not decoded: \(status.receiverUndecoded)")
      }
      if status.receiverRejected > 0 { words.append("\(status.receiverRejected) rejected") }
    }
    for compass in status.compasses {
      let name = status.compasses.count > 1 ? "compass \(compass.name)" : "compass"
      if let fault = compass.fault {
        words.append("\(name) lost: \(fault)")
      } else if let lack = compass.lack {
        words.append("\(name) \(lack.short): \(lack.text)")
      } else {
        words.append("\(name) at \(compass.port) \(compass.headings) headings")
      }
      if let comparison = compass.comparison { words.append("\(name) is \(comparison)") }
      if let figures = compass.unsteadiness { words.append("\(name) \(figures.text)") }
      if compass.rejected > 0 { words.append("\(compass.rejected) of its sentences rejected") }
    }
    for (bus, lateness) in status.lateness.sorted(by: { $0.key < $1.key }) {
      words.append(
        "\(bus) late \(String(lateness.medianSeconds * 1e3, decimals: 2)) ms median, "
          + "\(String(lateness.worstSeconds * 1e3, decimals: 2)) ms worst")
    }
    if let source = status.receiverSource { words.append("fixes from \(source)") }
    if let setUp = status.receiverSetUp { words.append(setUp.text) }
    if let corrections = status.corrections { words.append("corrections \(corrections.text)") }
    if let output = status.correctionsOutput { words.append("rtcm-output \(output.text)") }
    if let fault = status.calibrationFault { words.append("calibrations not stored: \(fault)") }
    if let fault = status.pulseFault {
      words.append("pulse lost: \(fault)")
    } else if let pulse = status.pulse {
      words.append(text(pulse))
    }
    return words.joined(separator: "; ")
  }

  /// The receivers that are not used: each with its fault, or its fix and why it is not used.
  private static func others(_ status: BoardStatus) -> [String] {
    guard status.receivers.count > 1 else { return [] }
    return status.receivers.filter { !$0.isUsed }.map { receiver in
      if let fault = receiver.fault { return "receiver \(receiver.name) lost: \(fault)" }
      if let lack = receiver.lack { return "receiver \(receiver.name) \(lack.short): \(lack.text)" }
      guard let source = receiver.position else { return "receiver \(receiver.name) no epoch yet" }
      let accuracy = source.fix.horizontalAccuracyMetres.map { " \(String($0, decimals: 1)) m" }
      let kind = source.fix.position == nil ? "no fix" : source.fix.kind.rawValue
      return "receiver \(receiver.name) not used, \(source.standing.text): \(kind)\(accuracy ?? "")"
    }
  }

  private static func text(_ pulse: PulseTiming) -> String {
    var text = pulse.state == .noPulse ? "no pulse" : "pulse \(pulse.state.rawValue)"
    if let obstacle = pulse.obstacle { text += " (\(obstacle.rawValue))" }
    var figures: [String] = []
    if let seconds = pulse.systemOffsetSeconds {
      figures.append("system clock \(signed(seconds, decimals: 6)) s")
    }
    if let seconds = pulse.jitterSeconds {
      figures.append("jitter \(String(seconds * 1e6, decimals: 1)) us")
    }
    if let rate = pulse.frequencyErrorPartsPerMillion {
      figures.append("rate \(signed(rate, decimals: 2)) ppm")
    }
    if let seconds = pulse.messageDelaySeconds {
      figures.append("sentences after \(String(seconds, decimals: 3)) s")
    }
    figures.append("\(pulse.used) used, \(pulse.missed) missed, \(pulse.refused) refused")
    return text + ": " + figures.joined(separator: ", ")
  }

  private static func signed(_ value: Double, decimals: Int) -> String {
    let text = String(value, decimals: decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }
}

/// The state of an attached board as one JSON object.
enum StatusJSON {
  private struct Report: Encodable {
    var status = "board"
    var time: String?
    var chips: [Chip]
    var lateness: [String: Lateness]
    var dataReadyFaults: [String]?
    var receiver: Receiver?
    var receivers: [Port]?
    var compass: Compass?
    var compasses: [Compass]?
    var receiverSource: String?
    var receiverFault: String?
    var receiverLack: String?
    var receiverUnsteadiness: String?
    var receiverSetUp: String?
    var assistance: String?
    var fix: String?
    var correctionAge: Double?
    var corrections: String?
    var correctionStream: Stream?
    var correctionsOutput: String?
    var calibrationFault: String?
    var pulseFault: String?
    var pulse: Pulse?
  }
  private struct Chip: Encodable {
    var name: String
    var samplesPerSecond: Int
    var fault: String?
    var unsteadiness: String?
  }
  private struct Receiver: Encodable {
    var port: String
    var epochs: Int
    var epochsPerSecond: Int
    var rejected: Int
    var undecoded: [String: Int64]?
    var sources: [Source]?
    var condition: Condition?
  }
  private struct Condition: Encodable {
    var antenna: String?
    var interference: String?
    var interferenceLevel: Int?
    var spoofing: String?
    var quality: Int?
    var qualitySignals: Int?
    var qualityAntennaPower: Int?
    var qualityProcessor: Int?
    var hasFix: Bool?
    var fixLoss: String?
    var fixLossText: String?
    var satellitesReceived: Int?
    var timeToFirstFix: Double?
    var firstFixSince: String?
    var firstFixAssisted: Bool?

    init(_ condition: ReceiverCondition) {
      (antenna, interference) = (condition.antenna?.word, condition.interference?.word)
      interferenceLevel = condition.interferenceLevel.map { Int($0) }
      (spoofing, hasFix) = (condition.spoofing?.word, condition.hasFix)
      (quality, qualitySignals) = (condition.quality?.overall, condition.quality?.signals)
      qualityAntennaPower = condition.quality?.antennaPower
      qualityProcessor = condition.quality?.processor
      (fixLoss, fixLossText) = (condition.fixLoss?.cause.rawValue, condition.fixLoss?.text)
      satellitesReceived = condition.fixLoss?.satellites
      timeToFirstFix = condition.firstFix?.seconds
      firstFixSince = condition.firstFix?.begin.rawValue
      firstFixAssisted = condition.firstFix?.isAssisted
    }
  }
  /// One of several receivers.
  private struct Port: Encodable {
    var name: String
    var port: String
    var isUsed: Bool
    var epochs: Int
    var rejected: Int
    var fault: String?
    var lack: String?
    var position: Source?
    var pulse: String?
  }
  private struct Source: Encodable {
    var name: String
    var isChosen: Bool
    var fix: String
    var accuracy: Double?
    var age: Double?
    var distance: Double?
    var standing: String
    var fault: String?
    var latitude: Double?
    var longitude: Double?

    init(_ source: PositionSource, among all: [PositionSource], at now: Timestamp?) {
      (name, isChosen) = (source.name, source.isChosen)
      (fix, accuracy) = (source.fix.kind.rawValue, source.fix.horizontalAccuracyMetres)
      age = now.map { max(0, $0.seconds(since: source.arrival)) }
      if !source.isChosen { distance = all.first(where: \.isChosen).flatMap(source.metres) }
      (standing, fault) = (source.standing.text, source.fault?.rawValue)
      latitude = source.fix.position?.latitude.degrees
      longitude = source.fix.position?.longitude.degrees
    }
  }
  private struct Compass: Encodable {
    var name: String
    var port: String
    var isUsed: Bool
    var comparison: String?
    var headings: Int
    var rejected: Int
    var fault: String?
    var lack: String?
    var unsteadiness: String?
  }
  private struct Stream: Encodable {
    var source: String?
    var fault: String?
    var ended: Bool
    var dropped: Int
    var interruptions: Int
    var bytes: Int
    var age: Double?
    var station: Int?
    var stationDistance: Double?
    var messages: [Message]

    init(_ corrections: BoardStatus.Corrections) {
      source = corrections.state
      fault = corrections.fault
      ended = corrections.hasEnded
      dropped = corrections.dropped
      interruptions = corrections.interruptions
      let statistics = corrections.statistics
      bytes = statistics.bytes
      age = corrections.ageSeconds
      station = statistics.station
      stationDistance = corrections.stationDistanceMetres
      messages = statistics.messages.sorted { $0.key < $1.key }.map { type, message in
        Message(
          type: type, name: RTCM3Statistics.name(of: type), received: message.count,
          sent: corrections.counts[type] ?? 0, station: message.station,
          age: corrections.ageSeconds(of: message))
      }
    }
  }
  private struct Message: Encodable {
    var type: Int
    var name: String?
    var received: Int
    var sent: Int
    var station: Int?
    var age: Double?
  }
  private struct Lateness: Encodable {
    var median: Double
    var worst: Double
  }
  private struct Pulse: Encodable {
    var state: String
    var obstacle: String?
    var systemOffset: Double?
    var jitter: Double?
    var frequencyError_ppm: Double?
    var messageDelay: Double?
    var used: Int
    var missed: Int
    var refused: Int
    var systemSteps: Int
  }

  private static func sources(_ list: [PositionSource], _ status: BoardStatus) -> [Source] {
    list.map { Source($0, among: list, at: status.instant) }
  }

  private static func ports(_ status: BoardStatus) -> [Port] {
    let all = status.positionSources
    return status.receivers.map { receiver in
      Port(
        name: receiver.name, port: receiver.port, isUsed: receiver.isUsed,
        epochs: receiver.epochs, rejected: receiver.rejected, fault: receiver.fault,
        lack: receiver.lack?.text,
        position: receiver.position.map { Source($0, among: all, at: status.instant) },
        pulse: receiver.pulseFault ?? receiver.pulse?.state.rawValue)
    }
  }

  private static func compass(_ compass: BoardStatus.Compass) -> Compass {
    Compass(
      name: compass.name, port: compass.port, isUsed: compass.isUsed,
      comparison: compass.comparison, headings: compass.headings, rejected: compass.rejected,
      fault: compass.fault, lack: compass.lack?.text, unsteadiness: compass.unsteadiness?.text)
  }

  /// Times in seconds.
  static func object(_ status: BoardStatus, _ counts: StatusCounts) throws -> String {
    let report = Report(
      time: SystemClock.civilTime?.recordText,
      chips: zip(status.chips, counts.samples).map {
        Chip(
          name: $0.name, samplesPerSecond: $1, fault: $0.fault,
          unsteadiness: $0.unsteadiness?.text)
      },
      lateness: status.lateness.mapValues {
        Lateness(median: $0.medianSeconds, worst: $0.worstSeconds)
      },
      dataReadyFaults: status.dataReadyFaults.isEmpty
        ? nil : status.dataReadyFaults.values.sorted(),
      receiver: status.receiverPort.map {
        Receiver(
          port: $0, epochs: status.receiverEpochs, epochsPerSecond: counts.epochs,
          rejected: status.receiverRejected, undecoded: status.receiverUndecoded.table,
          sources: status.receiverSources.count > 1
            ? sources(status.receiverSources, status) : nil,
          condition: status.receiverCondition.flatMap { $0.isEmpty ? nil : Condition($0) })
      },
      receivers: status.receivers.count > 1 ? ports(status) : nil,
      compass: status.compass.map { compass($0) },
      compasses: status.compasses.count > 1 ? status.compasses.map { compass($0) } : nil,
      receiverSource: status.receiverSource, receiverFault: status.receiverFault,
      receiverLack: status.receiverLack?.text,
      receiverUnsteadiness: status.receiverUnsteadiness?.text,
      receiverSetUp: status.receiverSetUp?.text, assistance: status.assistance,
      fix: status.fixKind?.rawValue,
      correctionAge: status.correctionAgeSeconds, corrections: status.corrections?.text,
      correctionStream: status.corrections.map { Stream($0) },
      correctionsOutput: status.correctionsOutput?.text,
      calibrationFault: status.calibrationFault,
      pulseFault: status.pulseFault,
      pulse: status.pulse.map {
        Pulse(
          state: $0.state.rawValue, obstacle: $0.obstacle?.rawValue,
          systemOffset: $0.systemOffsetSeconds, jitter: $0.jitterSeconds,
          frequencyError_ppm: $0.frequencyErrorPartsPerMillion,
          messageDelay: $0.messageDelaySeconds, used: $0.used, missed: $0.missed,
          refused: $0.refused, systemSteps: $0.systemSteps)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }
}
